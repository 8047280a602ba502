import { formatMonthTitle, parseMonth } from "../../accounts/month.ts";
import { formatLongDay } from "../../catalogue/instants.ts";
import { cents, formatEuros } from "../../catalogue/money.ts";
import { isRole, roleLabels } from "../../operators/roles.ts";
import { orderEmails } from "../../order-emails/order-emails.server.ts";
import { operatorCauses } from "../../refunds/operator-causes.ts";
import { notFoundReasonLabels } from "../order/serving-sentences.ts";

/** The names that acts give to what they change. Another one is shown as it is: settings have theirs in French. */
const names: Readonly<Record<string, string>> = {
	amount: "Montant",
	cause: "Motif",
	claim: "Pris par",
	compared: "Paiements comparés",
	confirmed: "Confirmé",
	conversation: "Message",
	conversations: "Messages effacés",
	cost: "Coût",
	deleted: "Commandes supprimées",
	delivery: "Destinataire retiré de",
	devices: "Appareils",
	differences: "Différences",
	email: "E-mail",
	entries: "Empreinte des écritures",
	erased: "Client effacé de",
	extract: "Extrait",
	found: "Commandes trouvées",
	from: "Du",
	holder: "Prise par",
	interest: "Préinscriptions effacées",
	left: "Hors du PDF",
	letters: "Courriers",
	mail: "E-mail",
	messages: "Formulaires effacés",
	month: "Mois",
	name: "Nom",
	newsletter: "Inscriptions effacées",
	companyAlerts: "Alertes effacées",
	customerSessions: "Connexions à «\u00a0Mes commandes\u00a0» fermées",
	"not-found": "Raison",
	order: "Commande",
	orderForms: "Saisies effacées",
	orders: "Commandes",
	payments: "Paiements",
	person: "Personne",
	recipient: "Destinataire",
	refund: "Remboursement",
	refunds: "Remboursements",
	roles: "Rôles",
	siren: "SIREN",
	text: "Texte",
	title: "Titre",
	to: "Au",
	tracking: "Numéro de suivi",
	undone: "Actions annulées",
	unfinished: "Non effacées, en cours",
	unreadable: "Illisibles",
	what: "Recréé",
};

/** What codes mean, by the name of what changes. */
const codes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	"not-found": notFoundReasonLabels,
	cause: operatorCauses,
	mail: Object.fromEntries(Object.values(orderEmails).map(({ name, label }) => [name, label])),
	extract: { delivered: "livré" },
	order: { stopped: "arrêtée" },
};

const isNothing = (value: unknown) => value === undefined || value === null || value === "";

export interface ShownChange {
	name: string;
	/** Null: there was nothing before. */
	before: string | null;
	after: string;
}

/** Describes what an act changed, field by field. @param people the operators' names by id. */
export function describeChange(
	{ before = {}, after = {} }: { before?: Readonly<Record<string, unknown>>; after?: Readonly<Record<string, unknown>> },
	people: ReadonlyMap<string, string>,
): ShownChange[] {
	const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
	return keys
		.filter((key) => !(isNothing(before[key]) && isNothing(after[key])))
		.map((key) => ({
			name: names[key] ?? key,
			before: isNothing(before[key]) ? null : formatValue(key, before[key], people),
			after: formatValue(key, after[key], people),
		}));
}

function formatValue(key: string, value: unknown, people: ReadonlyMap<string, string>): string {
	if (isNothing(value)) return "rien";
	if (typeof value === "number") return key === "cost" || key === "amount" ? formatEuros(cents(value)) : String(value);
	if (typeof value === "object") return JSON.stringify(value);
	const text = String(value);
	if (key === "month") return formatMonthOf(text);
	if (key === "roles") return text.split(", ").map(labelRole).join(", ");
	if (/^20\d\d-\d\d-\d\d$/.test(text)) return formatLongDay(new Date(`${text}T12:00:00Z`));
	return people.get(text) ?? codes[key]?.[text] ?? shortenId(text);
}

const labelRole = (role: string) => (isRole(role) ? roleLabels[role].toLowerCase() : role);

function formatMonthOf(text: string): string {
	const month = parseMonth(text);
	return month === null ? text : formatMonthTitle(month);
}

/** Identifiers and hashes are told apart by their first characters. */
export const shortenId = (text: string) => (/^[0-9a-f-]{36}$|^[0-9a-f]{64}$/.test(text) ? `${text.slice(0, 8)}…` : text);
