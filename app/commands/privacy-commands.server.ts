import { writeFile } from "node:fs/promises";
import { resolveCommandPath } from "../../server/command-path.ts";
import { getErrorCode } from "../../server/types/errors.ts";
import { formatEuros } from "../catalogue/money.ts";
import { archivedContractCents, formatPeriod, retention } from "../catalogue/retention.ts";
import { type ErasedPerson, erasePerson } from "../desk/retention/erase-person.server.ts";
import { exportPerson, type PersonalData } from "../desk/retention/export-person.server.ts";
import { isEmailShape } from "../mail/email-address.ts";
import { alignColumns } from "./columns.ts";
import { type Command, done, refuse } from "./command.ts";
import { toPrintableJson } from "./printable-text.ts";

const invalidEmail = "Cette adresse e-mail n’est pas valide.";
const nothingStored = "Rien n’est conservé sous cette adresse.";

export const exportData: Command = {
	usage: "<e-mail> [fichier.json]",
	description: "toutes les données d’une personne, en JSON",
	argCount: [1, 2],
	async run({ shop, args }) {
		const [email = "", file] = args;
		if (!isEmailShape(email.replace(/\s/g, ""))) return refuse(invalidEmail);
		const data = await exportPerson(shop, email);
		if (isEmpty(data)) return refuse(nothingStored);
		const json = toPrintableJson(JSON.stringify(data, null, "\t"));
		if (file === undefined) return done(json);
		try {
			await writeFile(resolveCommandPath(file), `${json}\n`, { mode: 0o600, flag: "wx" });
		} catch (error) {
			const code = getErrorCode(error);
			// never overwrites: an existing file keeps its mode, so other users might read it
			if (code === "EEXIST") return refuse(`Le fichier ${file} existe déjà. Donnez un autre nom.`);
			return refuse(`Le fichier ${file} ne s’écrit pas (${code}).`);
		}
		return done(`Les données sont dans ${file}. Remettez-le à la personne, puis supprimez-le.`);
	},
};

export const erase: Command = {
	usage: "<e-mail> [--yes]",
	description: "efface une personne ; sans --yes, dit seulement ce qui serait effacé",
	argCount: [1, 1],
	options: { yes: { type: "boolean" } },
	async run({ shop, args, options }) {
		const [email = ""] = args;
		if (!isEmailShape(email.replace(/\s/g, ""))) return refuse(invalidEmail);
		const data = await exportPerson(shop, email);
		if (options.yes !== true)
			return isEmpty(data)
				? done(nothingStored)
				: refuse(`${formatCounts(data)}\nRien n’est effacé. Pour effacer : npm run orders -- erase ${email} --yes`);
		const erased = await erasePerson(shop, email);
		const text = [...formatErased(erased), ...(data.invoices.length > 0 ? [keptInvoices] : [])].join("\n");
		return erased.orders.unfinished.length > 0 ? refuse(text) : done(text || nothingStored);
	},
};

const keptInvoices = `Les factures et les avoirs restent : la loi les fait conserver ${formatPeriod(retention.invoices)} (article L123-22 du code de commerce).`;

const keptContract = `Le contrat, la confirmation et la facture de ces commandes restent, avec le nom et les adresses : la loi fait conserver un contrat de ${formatEuros(archivedContractCents)} ou plus ${formatPeriod(retention.contracts)} après la livraison (articles L213-1 et D213-2 du code de la consommation)`;

const countData = (data: PersonalData): [label: string, count: number][] => [
	["Commandes", data.orders.length],
	["Commandes d’un autre, livrées à cette adresse", data.deliveries.length],
	["E-mails sur la commande d’un autre, qui contiennent cette adresse", data.other_emails.length],
	["Formulaires de commande du dernier jour", data.order_forms.length],
	["Messages", data.messages.length],
	["Échanges par e-mail", data.conversations.length],
	["Demandes d’être prévenu", data.interest.length],
	["Inscriptions à la lettre d’information", data.newsletter.length],
	["Alertes sur des entreprises", data.company_alerts.length],
	["Connexions à « Mes commandes »", data.customer_sessions.length],
	["Factures et avoirs, qui restent", data.invoices.length],
];

const formatCounts = (data: PersonalData): string => alignColumns(countData(data).map(([label, count]) => [`${label} :`, String(count)]));

const isEmpty = (data: PersonalData): boolean => countData(data).every(([, count]) => count === 0);

function formatErased({ orders, ...counts }: ErasedPerson): string[] {
	const { erased, deleted, archived, delivery, unfinished } = orders;
	return [
		erased.length > 0 && `Effacé de ces commandes, dont la société et les montants restent : ${erased.join(", ")}.`,
		archived.length > 0 && `${keptContract} : ${archived.join(", ")}. Le reste est effacé.`,
		deleted.length > 0 && `Commandes jamais payées, supprimées : ${deleted.join(", ")}.`,
		delivery.length > 0 && `Adresse de livraison retirée des commandes d’un autre : ${delivery.join(", ")}.`,
		counts.otherEmails > 0 && `E-mails sur la commande d’un autre, dont l’adresse est retirée : ${counts.otherEmails}.`,
		counts.orderForms > 0 && `Formulaires de commande supprimés : ${counts.orderForms}.`,
		counts.messages > 0 && `Messages supprimés : ${counts.messages}.`,
		counts.conversations > 0 && `Échanges par e-mail supprimés : ${counts.conversations}.`,
		counts.interest > 0 && `Demandes d’être prévenu supprimées : ${counts.interest}.`,
		counts.newsletter > 0 && `Inscriptions à la lettre d’information supprimées : ${counts.newsletter}.`,
		counts.companyAlerts > 0 && `Alertes sur des entreprises supprimées : ${counts.companyAlerts}.`,
		counts.customerSessions > 0 && `Connexions à « Mes commandes » fermées : ${counts.customerSessions}.`,
		counts.untraceableInvoices > 0 &&
			`Factures et avoirs anciens, que « Mes commandes » ne montre plus à cette adresse : ${counts.untraceableInvoices}.`,
		unfinished.length > 0 &&
			`Rien n’est effacé de ces commandes, qui ne sont pas terminées : ${unfinished.join(", ")}. Terminez-les ou arrêtez-les, puis recommencez.`,
	].filter((line) => line !== false);
}
