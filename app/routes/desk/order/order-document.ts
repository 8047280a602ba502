import { data } from "react-router";
import { isUuid } from "../../../../server/uuid.ts";
import { recordLook } from "../../../desk/order/record-look.server.ts";
import { deskHeaders, getActor, requireOperator } from "../../../desk/shell/signed-in.server.ts";
import { findDocument } from "../../../documents/documents.store.server.ts";
import { formatAttachmentHeader } from "../../../documents/file-name.ts";
import { getDocumentFileName } from "../../../order-emails/name-document.server.ts";
import { readDocument } from "../../../order-emails/read-document.server.ts";
import { findOrder } from "../../../orders/orders.server.ts";
import { shopContext } from "../../../shop.ts";
import type { Route } from "./+types/order-document";

/** A document of an order, always as a download: the desk's origin shows no PDF. */
export async function loader({ context, params }: Route.LoaderArgs) {
	requireOperator(context, "serve");
	const shop = context.get(shopContext);
	const document = isUuid(params.document) ? await findDocument(shop.db, params.document) : null;
	const order = document && (await findOrder(shop.db, document.order_id));
	if (!document || !order || document.purged_at) throw data("Ce fichier n’est plus conservé.", { status: 404 });
	await recordLook(shop, getActor(context), "download-document", order.order_number);
	const read = await readDocument(shop, document);
	if (!read.ok) throw data("Ce fichier ne se lit pas dans le stockage. Réessayez dans un instant.", { status: 503 });
	return new Response(read.bytes, {
		headers: {
			...deskHeaders,
			"content-type": "application/pdf",
			"content-disposition": formatAttachmentHeader(await getDocumentFileName(shop.db, order, document)),
			"content-length": String(read.bytes.byteLength),
			"content-security-policy": "default-src 'none'; sandbox",
		},
	});
}
