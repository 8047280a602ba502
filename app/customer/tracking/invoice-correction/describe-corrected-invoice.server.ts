import type { Context } from "../../../../server/runtime.ts";
import { type AccessKey, mayAsk } from "../../../orders/access.ts";
import { findInvoiceOfPurchase } from "../../../orders/invoices/invoices.store.server.ts";
import type { Order } from "../../../orders/order.ts";
import { readCorrected } from "../addresses/address-sentences.ts";

/** The sentence of the notice « Facture corrigée », for the page to which the correction redirected; null when nothing was corrected just now. */
export async function describeCorrectedInvoice(
	{ db, now }: Pick<Context, "db" | "now">,
	request: Request,
	{ purchase_id }: Order,
	access: AccessKey,
): Promise<string | null> {
	const { corrected, since } = readCorrected(request, now());
	if (corrected !== "invoice" || !mayAsk(access, "read-invoice")) return null;
	const invoice = await findInvoiceOfPurchase(db, purchase_id);
	if (!invoice?.replaces || invoice.issued_at < since) return null;
	return `La nouvelle, ${invoice.number}, et l’avoir vous sont envoyés.`;
}
