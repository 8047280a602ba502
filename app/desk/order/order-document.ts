import { data } from "react-router";
import { isUuid } from "../../../server/uuid.ts";
import { getDocumentFileName } from "../../emails/name-document.server.ts";
import { readDocument } from "../../emails/read-document.server.ts";
import { findDocument } from "../../orders/documents/documents.store.server.ts";
import { findOrder } from "../../orders/orders.store.server.ts";
import { shopContext } from "../../shop.ts";
import { sendDownload } from "../shell/send-download.server.ts";
import { getActor } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/order-document";
import { recordLook } from "./record-look.server.ts";

/** A document of an order. */
export async function loader({ context, params }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const document = isUuid(params.document) ? await findDocument(shop.db, params.document) : null;
	const order = document && (await findOrder(shop.db, document.order_id));
	if (!document || !order || document.purged_at) throw data("Ce fichier n’est plus conservé.", { status: 404 });
	await recordLook(shop, getActor(context), "download-document", order.order_number);
	const read = await readDocument(shop, document);
	if (!read.ok) throw data("Ce fichier ne se lit pas dans le stockage. Réessayez dans un instant.", { status: 503 });
	const name = await getDocumentFileName(shop.db, order, document);
	return sendDownload(read.bytes, { name, type: "application/pdf", bytes: read.bytes.byteLength });
}
