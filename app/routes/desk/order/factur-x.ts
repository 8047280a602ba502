import { data } from "react-router";
import { isUuid } from "../../../../server/uuid.ts";
import { recordLook } from "../../../desk/order/record-look.server.ts";
import { deskHeaders, getActor, requireOperator } from "../../../desk/shell/signed-in.server.ts";
import { formatAttachmentHeader } from "../../../documents/file-name.ts";
import { createFacturX } from "../../../invoices/factur-x.server.ts";
import { findInvoiceOfDocument } from "../../../invoices/invoices.store.server.ts";
import { findOrder } from "../../../orders/orders.server.ts";
import { shopContext } from "../../../shop.ts";
import type { Route } from "./+types/factur-x";

/** The XML of an invoice or a credit note, as it stands in its PDF (Factur-X). */
export async function loader({ context, params }: Route.LoaderArgs) {
	requireOperator(context, "serve");
	const shop = context.get(shopContext);
	const { db } = shop;
	const invoice = isUuid(params.document) ? await findInvoiceOfDocument(db, params.document) : null;
	if (!invoice) throw data("Cette facture n’existe pas.", { status: 404 });
	const order = await findOrder(db, invoice.order_id);
	await recordLook(shop, getActor(context), "download-factur-x", order?.order_number ?? null);
	return new Response(createFacturX(invoice.data), {
		headers: {
			...deskHeaders,
			"content-type": "application/xml; charset=utf-8",
			"content-disposition": formatAttachmentHeader(`${invoice.number}_factur-x.xml`),
			"x-content-type-options": "nosniff",
			"content-security-policy": "default-src 'none'; sandbox",
		},
	});
}
