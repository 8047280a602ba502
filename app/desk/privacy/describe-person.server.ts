import { formatPeriod, retention } from "../../catalogue/retention.ts";
import { isEmailShape, maskEmail } from "../../mail/email-address.ts";
import type { Shop } from "../../shop.ts";
import { runRecorded } from "../log/run-recorded.server.ts";
import type { Verb } from "../log/verbs.ts";
import type { Actor } from "../operators/roles.ts";
import { exportPerson, type PersonalData } from "../retention/export-person.server.ts";

export interface PersonView {
	email: string;
	/** What is stored, without what is none. */
	stored: { label: string; count: number; after: string }[];
	orders: { number: string; company: string }[];
}

/** @returns the address that was typed, without blanks; null when it is none. */
export function readAddress(typed: unknown): string | null {
	const email = typeof typed === "string" ? typed.replace(/\s/g, "") : "";
	return isEmailShape(email) ? email : null;
}

/** Reads all that is stored of a person. That an operator looked is in the trail, with the address masked. */
export async function readPerson(shop: Shop, actor: Actor, email: string, verb: Verb): Promise<PersonalData> {
	const { data } = await runRecorded(shop, { verb, actor }, async () => {
		const read = await exportPerson(shop, email);
		return { ok: true, data: read, after: { person: maskEmail(email), orders: read.orders.length } };
	});
	return data;
}

const keptInvoices = `reste\u00a0: la loi le fait conserver ${formatPeriod(retention.invoices)} (C. com. art. L123-22)`;

/** What is stored of a person, and what an erasure does with it. */
export function describePerson(data: PersonalData): PersonView {
	const { orders, deliveries, other_emails, order_forms, invoices, messages, conversations, interest, newsletter } = data;
	const { company_alerts, customer_sessions } = data;
	const stored = [
		[
			"Commandes",
			orders.length,
			"le nom, les adresses et les messages s’effacent\u00a0; la société, les montants et les dates restent pour les comptes",
		],
		["Commandes d’un autre, livrées à cette adresse", deliveries.length, "cette adresse s’efface\u00a0; la commande reste à son client"],
		[
			"E-mails sur la commande d’un autre, qui contiennent cette adresse",
			other_emails.length,
			"cette adresse s’efface\u00a0; le reste de l’e-mail est conservé",
		],
		["Formulaires de commande du dernier jour", order_forms.length, "supprimés"],
		["Messages", messages.length, "supprimés"],
		["Échanges par e-mail", conversations.length, "supprimés, sauf ceux d’une commande en cours"],
		["Demandes d’être prévenu", interest.length, "supprimées"],
		["Inscriptions à la lettre d’information", newsletter.length, "supprimées"],
		["Alertes sur des entreprises", company_alerts.length, "supprimées"],
		["Connexions à «\u00a0Mes commandes\u00a0»", customer_sessions.length, "fermées"],
		["Factures et avoirs", invoices.length, keptInvoices],
	] as const;
	return {
		email: data.email,
		stored: stored.flatMap(([label, count, after]) => (count === 0 ? [] : { label, count, after })),
		orders: orders.map(({ order_number, company_name }) => ({ number: order_number, company: company_name })),
	};
}
