import { formatInstant } from "../../catalogue/instants.ts";
import { type DeskLogEntry, listDeskLog } from "../../desk-log/desk-log.server.ts";
import { parseOrderNumber } from "../../orders/order-number.server.ts";
import type { Shop } from "../../shop.ts";
import { notFoundReasonLabels } from "../order/serving-sentences.ts";

export interface TrailRow {
	id: string;
	at: string;
	who: string;
	origin: string | null;
	verb: string;
	subject: string | null;
	outcome: DeskLogEntry["outcome"];
	/** « before → after », field by field. */
	changes: { name: string; before: string; after: string }[];
}

export interface Trail {
	subject: string;
	who: string;
	rows: TrailRow[];
	/** The address of the next page; null on the last one. */
	next: string | null;
}

const pageSize = 100;

/** One page of the trail, newest first. @param query `objet`: an order number or another subject; `qui`: a name; `avant`: the id of a row. */
export async function listTrail({ db }: Pick<Shop, "db">, query: URLSearchParams): Promise<Trail> {
	const typed = (query.get("objet") ?? "").trim().slice(0, 100);
	const subject = parseOrderNumber(typed) ?? typed;
	const who = (query.get("qui") ?? "").trim().slice(0, 100);
	const before = /^\d{1,18}$/.test(query.get("avant") ?? "") ? query.get("avant") : null;
	const entries = await listDeskLog(db, pageSize + 1, { subject: subject || null, who: who || null, before });
	const rows = entries.slice(0, pageSize).map(toRow);
	const last = rows.at(-1);
	const next = entries.length > pageSize && last ? new URLSearchParams({ objet: subject, qui: who, avant: last.id }).toString() : null;
	return { subject, who, rows, next };
}

function toRow({ id, at, who, origin, verb, subject, outcome, change }: DeskLogEntry): TrailRow {
	const { before = {}, after = {} } = change ?? {};
	const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
	const changes = names.map((name) => ({
		name: changeLabels[name] ?? name,
		before: formatValue(before[name]),
		after: formatValue(after[name]),
	}));
	return { id, at: formatInstant(at), who, origin, verb, subject, outcome, changes };
}

/** The names that acts give to what they change. */
const changeLabels: Readonly<Record<string, string>> = {
	confirmed: "Confirmé",
	conversation: "Message",
	cost: "Coût",
	email: "E-mail",
	entries: "Écritures",
	extract: "Extrait",
	found: "Commandes trouvées",
	from: "Du",
	holder: "Prise par",
	letters: "Courriers",
	mail: "E-mail",
	month: "Mois",
	"not-found": "Raison",
	order: "Commande",
	orders: "Commandes",
	person: "Personne",
	recipient: "Destinataire",
	refunds: "Remboursements",
	amount: "Montant",
	roles: "Rôles",
	siren: "SIREN",
	title: "Titre",
	to: "Au",
	unreadable: "Illisibles",
};

const valueLabels: Readonly<Record<string, string>> = { ...notFoundReasonLabels, delivered: "livré" };

const formatValue = (value: unknown): string =>
	value === undefined || value === null
		? "—"
		: typeof value === "object"
			? JSON.stringify(value)
			: (valueLabels[String(value)] ?? String(value));
