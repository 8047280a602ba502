import { letterFields } from "../../checkout/form/order-form.ts";
import { readValues } from "../../checkout/form/read-values.server.ts";
import { correctAddresses, mayCorrectAddresses } from "../../customer/tracking/addresses/correct-addresses.server.ts";
import { correctLetter } from "../../customer/tracking/addresses/correct-letter.server.ts";
import { listKindsTo, type OrderEmailKind, orderEmails } from "../../emails/order-emails.server.ts";
import { type ResendOutcome, resendEmail } from "../../emails/resend-email.server.ts";
import { maskEmail } from "../../mail/email-address.ts";
import { normalizeEmail } from "../../mail/normalize-email.ts";
import type { Order } from "../../orders/order.ts";
import { listOrdersOfPurchase } from "../../orders/orders.store.server.ts";
import { coded, defineOrderAct, refuse } from "../acts/act.ts";
import { anyText, email, oneOf, value } from "../acts/fields.ts";

const resendRefusals: Record<Extract<ResendOutcome, { ok: false }>["code"], string> = {
	erased: "Les données de ce client ont été effacées\u00a0: il n’y a plus à qui écrire.",
	purged: "Le document de cet e-mail n’est plus conservé.",
	"operators-own": "Cet e-mail s’adresse à la boutique.",
	"never-written": "Cet e-mail n’a jamais été écrit pour cette commande.",
};

const correctionRefusals = {
	"no-access": "Cette commande n’existe pas.",
	"invalid-email": "Cette adresse e-mail n’est pas valable.",
	"invalid-recipient": "Cette adresse e-mail n’est pas valable.",
	"too-late": "Cette commande est terminée\u00a0: renvoyez plutôt l’extrait à la nouvelle adresse.",
	unchanged: "Ces adresses sont déjà celles de la commande.",
	limited: "Cette commande a été corrigée trop souvent aujourd’hui. Réessayez demain.",
} as const;

const letterRefusals = {
	"no-access": correctionRefusals["no-access"],
	"too-late": "Ce courrier est posté, ou sa commande est terminée\u00a0: son adresse ne se corrige plus.",
	printed: "Ce courrier est imprimé.",
	unchanged: "C’est déjà l’adresse de ce courrier.",
	limited: correctionRefusals.limited,
} as const;

/** The e-mail that brings the document to each of the two addresses. The first ones bring the present extract of each order of the purchase. */
const deliveryKinds: Record<"customer" | "delivery", OrderEmailKind[]> = {
	customer: ["document-ready", "posted", "extract-replaced", "confirmation"],
	delivery: ["document-ready-delivery", "extract-replaced-delivery"],
};

const addressChanges = { email: "E-mail", recipient: "Destinataire" };

/** Addresses of an order, and its e-mails. */
export const addressActs = [
	defineOrderAct({
		name: "correct-address",
		role: "serve",
		label: "Corriger l’adresse e-mail",
		fields: { email, recipient: (typed = "", sent) => (typed.trim() === "" ? value("") : email(typed, sent)) },
		async run({ shop, order, actor }, typed) {
			const before = maskAddresses({ email: order.customer_email, recipient: order.delivery_email ?? "" });
			const after = maskAddresses(typed);
			if (mayCorrectAddresses(await listOrdersOfPurchase(shop.db, order.purchase_id))) {
				const outcome = await correctAddresses(shop, order.id, "desk", typed);
				if (!outcome.ok) return refuse(correctionRefusals[outcome.code], outcome.code === "invalid-recipient" ? "recipient" : "email");
				return { ok: true, text: "L’adresse est corrigée. La confirmation repart, et l’ancienne adresse est prévenue.", before, after };
			}
			const changed = listChanged(order, typed);
			if (changed.length === 0) return refuse(correctionRefusals.unchanged, "email");
			let what = "la confirmation";
			for (const { to, kinds } of changed) {
				const resent = await resendFirst(shop, order.id, kinds, { to, by: actor.name });
				if (!resent.ok) return refuse(resendRefusals[resent.code]);
				if (resent.kind !== "confirmation") what = "l’extrait";
			}
			return { ok: true, text: `L’adresse est corrigée, et ${what} y repart.`, before, after };
		},
		changes: addressChanges,
	}),
	defineOrderAct({
		name: "correct-letter",
		role: "serve",
		label: "Corriger l’adresse du courrier",
		fields: {
			deliveryName: anyText,
			deliveryComplement: anyText,
			deliveryAddress: anyText,
			deliveryPostalCode: anyText,
			deliveryCity: anyText,
		},
		async run({ shop, order }, typed) {
			const outcome = await correctLetter(shop, order.id, "desk", readValues(new URLSearchParams(typed)));
			if (outcome.ok)
				return {
					ok: true,
					text: "L’adresse du courrier est corrigée, et le client est prévenu. Si la lettre était imprimée, elle est de nouveau à imprimer.",
				};
			if (outcome.code !== "invalid") return refuse(letterRefusals[outcome.code]);
			const [field] = letterFields.filter((name) => outcome.errors[name] !== undefined);
			return refuse((field && outcome.errors[field]) ?? letterRefusals.unchanged, field);
		},
	}),
	defineOrderAct({
		name: "resend",
		role: "serve",
		label: "Renvoyer un e-mail",
		fields: { kind: oneOf(listKindsTo("customer", "delivery"), "Choisissez l’e-mail à renvoyer.") },
		async run({ shop, order }, { kind }) {
			const resent = await resendEmail(shop, { orderId: order.id, kind });
			return resent.ok ? { ok: true, text: "L’e-mail repart.", after: { mail: kind } } : refuse(resendRefusals[resent.code], "kind");
		},
		changes: { mail: coded("E-mail", Object.fromEntries(Object.values(orderEmails).map(({ name, label }) => [name, label]))) },
	}),
];

const maskAddresses = ({ email, recipient }: { email: string; recipient: string }) => ({
	email: maskEmail(email),
	...(recipient !== "" && { recipient: maskEmail(recipient) }),
});

const sameAddress = (a: string, b: string | null) => b !== null && normalizeEmail(a) === normalizeEmail(b);

/** The addresses of a delivered order that differ, each with the e-mails that may bring its document there. */
function listChanged(order: Order, { email, recipient }: { email: string; recipient: string }) {
	return [
		...(sameAddress(email, order.customer_email) ? [] : [{ to: email, kinds: deliveryKinds.customer }]),
		...(recipient === "" || sameAddress(recipient, order.delivery_email) ? [] : [{ to: recipient, kinds: deliveryKinds.delivery }]),
	];
}

/** Resends the first of these e-mails that the order or its purchase has. */
async function resendFirst(
	shop: Parameters<typeof resendEmail>[0],
	orderId: string,
	kinds: readonly OrderEmailKind[],
	{ to, by }: { to: string; by: string },
): Promise<{ ok: true; kind: OrderEmailKind } | Extract<ResendOutcome, { ok: false }>> {
	let outcome: Extract<ResendOutcome, { ok: false }> = { ok: false, code: "never-written" };
	for (const kind of kinds) {
		const resent = await resendEmail(shop, { orderId, kind, to, by });
		if (resent.ok) return { ok: true, kind };
		if (resent.code !== "never-written") return resent;
		outcome = resent;
	}
	return outcome;
}
