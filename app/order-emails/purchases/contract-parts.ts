import { formatAddress } from "../../addresses/address-lines.ts";
import { executedWhen } from "../../catalogue/cancellation.ts";
import { formatInstant, formatLongDay } from "../../catalogue/instants.ts";
import { isPosted, services } from "../../catalogue/services.ts";
import type { EmailBlock } from "../../mail/email.ts";
import type { Order } from "../../orders/order.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import { type OrderEmailContext, when } from "../email-parts.ts";

/** What a confirmation repeats of the contract (docs/rules.md, R35). */

/** The buyer of the first invoice. A corrected one may name another, and is attached. */
export function formatInvoicedCustomer({ billing_company, first_name, last_name, address, postal_code, city }: Order): string {
	return formatAddress({ name: billing_company ?? `${first_name} ${last_name}`, street: address, postalCode: postal_code, city });
}

/** The consents with the version of their text and their instant; nothing when no box was shown. */
export function listConsents(order: Order): EmailBlock[] {
	const version = describeVersion(order.consent_text_version ?? "");
	const accepted = order.terms_accepted_at && formatInstant(order.terms_accepted_at);
	const waived = order.withdrawal_waived_at && formatInstant(order.withdrawal_waived_at);
	return [
		...when(accepted || waived, { heading: "Ce que vous avez accepté" }),
		...when(accepted, `Vous avez accepté les conditions générales de vente (${version}) le ${accepted}.`),
		...when(
			waived,
			`Vous avez demandé l’exécution immédiate le ${waived} et reconnu la perte de votre droit de rétractation (${version}).`,
		),
	];
}

/** The terms, which are attached as they were accepted: a link may lead to another version later (C. conso. art. L221-13). */
export function presentTerms({ terms_accepted_at }: Order, { baseUrl, termsUrl }: OrderEmailContext): EmailBlock[] {
	if (termsUrl === null) return [{ link: "Lire nos conditions générales", url: absoluteUrl(baseUrl, "/cgv") }];
	const which = terms_accepted_at
		? "Les conditions générales que vous avez acceptées sont jointes"
		: "Nos conditions générales sont jointes";
	return [
		`${which} à ce message, avec le modèle de formulaire de rétractation et le rappel de vos garanties légales. Conservez ce fichier.`,
		{ link: "Télécharger ces conditions générales", url: termsUrl },
	];
}

/** « version du 21 novembre 2026 ». A caller of the API may send a version that is no date. */
function describeVersion(version: string): string {
	const day = new Date(version);
	const isDay = /^\d{4}-\d\d-\d\d$/.test(version) && !Number.isNaN(day.getTime());
	return isDay ? `version du ${formatLongDay(day)}` : `version ${version}`;
}

/** @param isMixed the purchase has both letters and PDFs: each sentence says of which it is. */
export function explainWithdrawalRight(order: Order, isMixed = false): EmailBlock[] {
	const posted = isPosted(order.product_code);
	const you = isMixed ? `Pour les extraits envoyés par ${posted ? "courrier" : "e-mail"}, vous` : "Vous";
	if (order.withdrawal_waived_at)
		return [
			`${you} perdez votre droit de rétractation, comme vous l’avez reconnu, ${executedWhen[services[order.product_code].deliveryMethod]} : notre service est alors pleinement exécuté (C. conso. art. L221-28, 1°).`,
		];
	const from = posted ? "la réception du courrier" : "la conclusion du contrat";
	return [
		`${you} avez quatorze jours pour vous rétracter, à compter de ${from}, sans motif ni frais. Utilisez la page ci-dessous, ou écrivez-nous clairement votre décision, par e-mail ou par courrier.`,
	];
}
