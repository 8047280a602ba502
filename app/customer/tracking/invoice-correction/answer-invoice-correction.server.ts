import { data, href, type RouterContextProvider, redirect } from "react-router";
import { correctionPeriod, maxCorrections } from "../../../catalogue/after-sale.ts";
import { findOtherName } from "../../../companies/billed-name.server.ts";
import {
	correctInvoice,
	findCorrectableInvoice,
	type InvoiceCorrectionRefusal,
} from "../../../fulfilment/invoice-correction/correct-invoice.server.ts";
import { mayAsk } from "../../../orders/access.ts";
import { requestStatuses } from "../../../orders/request-statuses.ts";
import { type Shop, shopContext } from "../../../shop.ts";
import { readLine } from "../../../ui/forms/text.ts";
import { logFault, setRetryAfter } from "../../../web/http.ts";
import { toCorrectedUrl } from "../addresses/address-sentences.ts";
import type { TrackedOrder } from "../tracking-access.server.ts";
import {
	type CorrectionErrors,
	type CorrectionValues,
	checkCorrection,
	checkedNameField,
	checkReferences,
	nameChecked,
	readCorrection,
	readReferences,
	toBuyer,
	toCorrection,
} from "./correction-form.ts";

/** The sentence for a customer whose correction is refused. */
export const correctionRefusals: Record<InvoiceCorrectionRefusal | "limited" | "unavailable", string> = {
	"no-invoice": "Cette commande n’a pas encore de facture.",
	"not-ready": "Votre facture est en préparation. Revenez dans un instant.",
	"too-late": `Une facture peut être corrigée en ligne pendant ${correctionPeriod}. Ce délai est dépassé\u00a0: écrivez-nous.`,
	disputed: "Le paiement de cette commande est contesté auprès de la banque\u00a0: sa facture ne peut pas être corrigée.",
	refunded: "Cette commande est remboursée, ou va l’être\u00a0: un avoir corrige sa facture, qui ne peut plus être modifiée.",
	"too-many": `Cette facture a déjà été corrigée ${maxCorrections}\u00a0fois. Pour une autre correction, écrivez-nous.`,
	unchanged: "Rien n’a changé\u00a0: votre facture porte déjà ces informations.",
	"corrected-meanwhile": "Votre facture vient d’être corrigée. Vérifiez-la sur la page de suivi avant de la modifier à nouveau.",
	limited: "Trop d’essais. Réessayez dans une heure.",
	unavailable: "Votre facture n’a pas pu être corrigée. Elle est inchangée\u00a0: réessayez dans quelques minutes.",
};

/** What the page « Corriger la facture » shows. */
export interface CorrectionPageProps {
	number: string;
	/** Null: the invoice may not be corrected, and `refused` says why. */
	form: {
		/** The number of the invoice in force. */
		invoice: string;
		/** ISO 8601. */
		until: string;
		/** How many corrections are left. */
		left: number;
		values: CorrectionValues;
		/** What each line is, and its reference. */
		lines: { description: string; reference: string }[];
		errors: CorrectionErrors;
		/** Whose SIREN stands beside the typed name, which the customer is asked to check; null without a doubt. */
		otherName?: string | null;
	} | null;
	refused: string | null;
}

type Opened = Pick<TrackedOrder, "order" | "access">;

/** Describes the form of an order's invoice; null without access to it. @param typed what was sent. */
export async function describeCorrectionForm(
	{ db, now }: Shop,
	{ order, access }: Opened,
	typed: FormData | null = null,
): Promise<CorrectionPageProps | null> {
	if (!mayAsk(access, "correct-invoice")) return null;
	const found = await findCorrectableInvoice(db, order.purchase_id, now());
	if (!found.ok) return { number: order.order_number, form: null, refused: correctionRefusals[found.code] };
	const { invoice, until, left } = found;
	const values = typed ? readCorrection(typed) : toCorrection(invoice);
	const references = readReferences(typed ?? new FormData(), invoice.data.lines);
	const errors = typed ? { ...checkCorrection(values), ...checkReferences(references) } : {};
	const lines = invoice.data.lines.map(({ description }, index) => ({ description, reference: references[index] ?? "" }));
	const form = { invoice: invoice.number, until: until.toISOString(), left, values, lines, errors };
	return { number: order.order_number, form, refused: null };
}

/**
 * Handles the form: corrects the invoice and returns to the order, or shows the form again with its errors.
 * @returns data of the page; null without access.
 */
export async function answerInvoiceCorrection(context: Readonly<RouterContextProvider>, opened: Opened, form: FormData) {
	const shop = context.get(shopContext);
	const { order, access } = opened;
	const page = await describeCorrectionForm(shop, opened, form);
	if (page === null) return null;
	if (Object.keys(page.form?.errors ?? {}).length > 0) return data(page, { status: requestStatuses.invalid });
	const values = readCorrection(form);
	// asked once about these two
	const otherName = form.get(checkedNameField) === nameChecked(values) ? null : await findOtherName(shop.db, values);
	if (page.form && otherName) return data({ ...page, form: { ...page.form, otherName } });
	const references = page.form?.lines.map(({ reference }) => reference) ?? [];
	const correction = { seen: readLine(form.get("invoice")), buyer: toBuyer(values), references };
	const fault = logFault(shop, "an invoice could not be corrected");
	const corrected =
		(await correctInvoice(shop, order.purchase_id, access, correction).catch(fault)) ?? ({ ok: false, code: "unavailable" } as const);
	if (corrected.ok) return redirect(toCorrectedUrl(href("/suivi/:number", { number: order.order_number }), "invoice"), 303);
	if (corrected.code === "no-access") return null;
	setRetryAfter(context, corrected);
	// read again: another request may have corrected it meanwhile
	return data(
		{ ...page, ...(await describeCorrectionForm(shop, opened, form)), refused: correctionRefusals[corrected.code] },
		{ status: requestStatuses[corrected.code] },
	);
}
