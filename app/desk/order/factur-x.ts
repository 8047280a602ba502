import { data } from "react-router";
import { isUuid } from "../../../server/uuid.ts";
import { createFacturX } from "../../orders/invoices/factur-x.server.ts";
import { findInvoiceOfDocument } from "../../orders/invoices/invoices.store.server.ts";
import { findOrder } from "../../orders/orders.store.server.ts";
import { shopContext } from "../../shop.ts";
import { sendDownload } from "../shell/send-download.server.ts";
import { getActor } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/factur-x";
import { recordLook } from "./record-look.server.ts";

/** The XML of an invoice or a credit note, as it stands in its PDF (Factur-X). */
export async function loader({ context, params }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const { db } = shop;
	const invoice = isUuid(params.document) ? await findInvoiceOfDocument(db, params.document) : null;
	if (!invoice) throw data("Cette facture n’existe pas.", { status: 404 });
	const order = await findOrder(db, invoice.order_id);
	await recordLook(shop, getActor(context), "download-factur-x", order?.order_number ?? null);
	return sendDownload(createFacturX(invoice.data), { name: `${invoice.number}_factur-x.xml`, type: "application/xml; charset=utf-8" });
}
