import type { Runtime } from "../../server/runtime.ts";
import { formatHour } from "../catalogue/instants.ts";
import type { OpeningCalendar } from "../catalogue/opening-hours.ts";
import { isPosted, parseServiceCode, type ServiceCode, services } from "../catalogue/services.ts";
import { termsVersion } from "../catalogue/terms-version.ts";
import { noExtractRefusal } from "../companies/company-notices.ts";
import { findCompany } from "../companies/find-company.server.ts";
import { parseSiren } from "../companies/siren.ts";
import { remindToPay } from "../order-emails/queue-order-email.server.ts";
import { checkField, type OrderField, type OrderValues } from "../order-form/order-form.ts";
import { isPayable } from "../orders/lifecycle.ts";
import { type LimitName, placeOrderWithinLimits } from "../orders/place-order.server.ts";
import { firstAttempt, requestSession } from "./open-session.server.ts";
import type { PaymentProvider } from "./provider.ts";
import { refreshOrder, resumePayment } from "./resume-payment.server.ts";

export interface Checkout {
	/** As the form or the API brought them: checked here, once, for both. */
	values: OrderValues;
	/** What the caller believes the price to be, in cents: refused when the catalogue says otherwise. */
	amount: number;
	deliveryMethod: string;
	/** null when the caller showed no boxes: the order then keeps its right of withdrawal. */
	consents: { terms: boolean; waiveWithdrawal: boolean; textVersion: string } | null;
	idempotencyKey: string | null;
	/** Who orders: the key of a client. */
	client: string;
}

export type StartedCheckout =
	| { ok: true; url: string; orderId: string }
	| { ok: false; status: 400 | 409 | 502; error: string; field?: OrderField }
	/** `retryAfter`: seconds. */
	| { ok: false; status: 429; error: string; retryAfter: number };

const refused = (error: string, field?: OrderField): StartedCheckout => ({ ok: false, status: 400, error, field });

/**
 * From a filled form to the provider's payment page: checks everything against the register and the catalogue,
 * makes the order (once per key), opens its payment session.
 * @returns the address of the payment page and the order, or a sentence for the customer.
 */
export async function startCheckout(
	runtime: Pick<Runtime, "db" | "jobs" | "now" | "log" | "environment" | "signer" | "limits"> & {
		calendar: OpeningCalendar;
		provider: PaymentProvider;
	},
	{ values, amount, deliveryMethod, consents, idempotencyKey, client }: Checkout,
): Promise<StartedCheckout> {
	const service = parseServiceCode(values.service);
	const siren = parseSiren(values.siren);
	if (service === null) return refused("Ce service n’existe pas.", "service");
	if (siren === null) return refused("Entreprise introuvable", "siren");
	for (const field of fieldsToCheck(values, service)) {
		const sentence = checkField(field, values[field]);
		if (sentence) return refused(sentence, field);
	}

	if (consents && !consents.terms) return refused("Vous devez accepter les conditions générales", "acceptTerms");

	const { price, deliveryMethod: ours } = services[service];
	if (amount !== price) return refused("Le montant ne correspond pas au tarif de ce service.");
	if (deliveryMethod !== ours) return refused("Le mode de livraison ne correspond pas à ce service.");
	const company = await findCompany(runtime.db, siren);
	if (company === null) return refused("Entreprise introuvable", "siren");
	if (company.eligibility === "none") return refused(noExtractRefusal, "siren");

	const given = (text: string) => (text === "" ? null : text);
	const draft = {
		service,
		siren,
		companyName: company.name ?? "Entreprise",
		email: values.email,
		firstName: values.firstName,
		lastName: values.lastName,
		phone: given(values.phone),
		address: given(values.address),
		postalCode: given(values.postalCode),
		city: given(values.city),
		billingCompany: given(values.company),
		deliveryEmail: given(values.deliveryEmail),
		newsletter: values.newsletter !== "",
		consents,
	};
	const placed = await runtime.db.transaction().execute(async (trx) => {
		const limits = runtime.environment.orderLimits;
		const made = await placeOrderWithinLimits(trx, draft, { key: idempotencyKey, client, limits, now: runtime.now() });
		return made.ok && made.isNew ? { ...made, attempt: await firstAttempt(runtime, trx, made.order) } : made;
	});
	if (!placed.ok && placed.reason === "limited") return refuseForNow(runtime, placed);
	if (!placed.ok) return { ok: false, status: 409, error: "Cette clé a déjà servi pour une autre commande." };
	// the same key again: the order may have been paid since, or its session have run out
	const order = (placed.isNew ? null : await refreshOrder(runtime, placed.order.id)) ?? placed.order;
	if (!isPayable(order)) return refused("Cette commande est déjà réglée.");
	const url =
		"attempt" in placed ? await requestSession(runtime, order, placed.attempt, client) : await resumePayment(runtime, order, client);
	if (url) return { ok: true, url, orderId: order.id };
	// the order waits: whoever does not come back by themselves gets a way to
	await runtime.db.transaction().execute((trx) => remindToPay(runtime, trx, order.id));
	return { ok: false, status: 502, error: url === "" ? "Aucune URL de paiement reçue" : "Erreur lors du traitement du paiement" };
}

const limitSentences: Record<LimitName, string> = {
	client: "Trop de commandes ont été passées depuis votre connexion.",
	mailbox: "Trop de commandes ont été passées avec cette adresse e-mail.",
	shop: "Nous recevons trop de commandes en ce moment.",
};

/** Seconds between two alarms that the whole shop is at its limit: a flood would else fill the log with them. */
const alarmInterval = 600;

async function refuseForNow(
	{ limits, log, now }: Pick<Runtime, "limits" | "log" | "now">,
	{ by, retryAfter }: { by: LimitName; retryAfter: number },
): Promise<StartedCheckout> {
	if (by === "shop" && (await limits("order-alarm", 1, alarmInterval).take("shop")).ok)
		log.error({ retryAfter }, "the shop is at its limit of orders an hour");
	const minute = 60_000;
	const from = new Date(Math.ceil((now().getTime() + retryAfter * 1000) / minute) * minute);
	return { ok: false, status: 429, error: `${limitSentences[by]} Réessayez à partir de ${formatHour(from)}.`, retryAfter };
}

/** Only a letter needs an address; the boxes are the caller's to show. */
function fieldsToCheck(values: OrderValues, service: ServiceCode): OrderField[] {
	const always: OrderField[] = ["email", "firstName", "lastName", "phone", "company", "deliveryEmail"];
	const address: OrderField[] = ["address", "postalCode", "city"];
	return [...always, ...address.filter((field) => isPosted(service) || values[field] !== "")];
}

/** The consents of a form that shows the two boxes. */
export function consentsOf(values: OrderValues): NonNullable<Checkout["consents"]> {
	return { terms: values.acceptTerms !== "", waiveWithdrawal: values.waiveWithdrawal !== "", textVersion: termsVersion };
}
