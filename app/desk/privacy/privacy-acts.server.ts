import { formatEuros } from "../../catalogue/money.ts";
import { archivedContractCents, formatPeriod, retention } from "../../catalogue/retention.ts";
import { maskEmail } from "../../mail/email-address.ts";
import { defineAct } from "../acts/act.ts";
import { refuseField, value } from "../acts/fields.ts";
import { type ErasedPerson, erasePerson } from "../retention/erase-person.server.ts";
import { readAddress } from "./describe-person.server.ts";

/** Acts on the data of one person. */
export const privacyActs = [
	defineAct({
		name: "erase-person",
		role: "privacy",
		label: "Effacer une personne",
		fields: {
			email(typed) {
				const email = readAddress(typed);
				return email === null ? refuseField("Cette adresse e-mail n’est pas valable.") : value(email);
			},
			again: (typed, sent) =>
				readAddress(typed)?.toLowerCase() === readAddress(sent.email)?.toLowerCase()
					? value(true)
					: refuseField("Ce n’est pas la même adresse. Retapez-la pour confirmer\u00a0: rien n’est effacé."),
		},
		async run({ shop }, { email }) {
			const erased = await erasePerson(shop, email);
			const { orders, ...counts } = erased;
			// the proof of the erasure, without the data
			const after = {
				person: maskEmail(email),
				erased: orders.erased.join(", "),
				deleted: orders.deleted.join(", "),
				delivery: orders.delivery.join(", "),
				archived: orders.archived.join(", "),
				unfinished: orders.unfinished.join(", "),
				...counts,
			};
			return { ok: true, text: describeErased(erased), after };
		},
		changes: {
			person: "Personne",
			erased: "Client effacé de",
			deleted: "Commandes supprimées",
			delivery: "Destinataire retiré de",
			archived: "Contrats archivés",
			unfinished: "Non effacées, en cours",
			conversations: "Messages effacés",
			interest: "Préinscriptions effacées",
			messages: "Formulaires effacés",
			newsletter: "Inscriptions effacées",
			companyAlerts: "Alertes effacées",
			customerSessions: "Connexions à «\u00a0Mes commandes\u00a0» fermées",
			orderForms: "Saisies effacées",
			otherEmails: "Adresse retirée d’e-mails",
			untraceableInvoices: "Factures hors de «\u00a0Mes commandes\u00a0»",
		},
	}),
];

function describeErased({ orders, otherEmails, untraceableInvoices, ...counts }: ErasedPerson): string {
	const others = Object.values(counts).reduce((sum, count) => sum + count);
	const sentences = [
		orders.erased.length > 0 && `Le client est effacé de ${orders.erased.join(", ")}.`,
		orders.archived.length > 0 &&
			`De ${orders.archived.join(", ")}, le contrat reste avec le nom et les adresses\u00a0: la loi le fait conserver ${formatPeriod(retention.contracts)} après la livraison, à partir de ${formatEuros(archivedContractCents)}. Le reste est effacé.`,
		orders.deleted.length > 0 && `Jamais payées, supprimées\u00a0: ${orders.deleted.join(", ")}.`,
		orders.delivery.length > 0 && `L’adresse est retirée des commandes d’un autre\u00a0: ${orders.delivery.join(", ")}.`,
		otherEmails > 0 && `L’adresse est retirée d’e-mails sur la commande d’un autre\u00a0: ${otherEmails}.`,
		others > 0 && `Messages, formulaires, inscriptions et alertes supprimés\u00a0: ${others}.`,
		untraceableInvoices > 0 &&
			`«\u00a0Mes commandes\u00a0» ne montre plus à cette adresse ses anciennes factures\u00a0: ${untraceableInvoices}.`,
		orders.unfinished.length > 0 &&
			`Rien n’est effacé de ${orders.unfinished.join(", ")}\u00a0: ces commandes ne sont pas terminées. Terminez-les ou arrêtez-les, puis recommencez.`,
	].filter((sentence) => sentence !== false);
	return sentences.length > 0 ? sentences.join(" ") : "Il n’y avait plus rien à effacer sous cette adresse.";
}
