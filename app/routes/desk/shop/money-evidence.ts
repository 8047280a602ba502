import { Readable } from "node:stream";
import { data } from "react-router";
import { createEvidenceZip } from "../../../desk/money/dispute-evidence.server.ts";
import { findOrderOfPage } from "../../../desk/order/find-order.server.ts";
import { deskHeaders, getActor, requireOperator } from "../../../desk/shell/signed-in.server.ts";
import { runRecorded } from "../../../desk-log/run-recorded.server.ts";
import { shopContext } from "../../../shop.ts";
import type { Route } from "./+types/money-evidence";

/** The evidence for a dispute, as one archive. Who took it is in the trail. */
export async function loader({ params, context }: Route.LoaderArgs) {
	requireOperator(context, "refund");
	const shop = context.get(shopContext);
	const order = await findOrderOfPage(shop, params.number);
	if (order.erased_at) throw data("Le client de cette commande a été effacé.", { status: 404 });
	const record = { verb: "download-evidence", subject: order.order_number, actor: getActor(context) };
	const { stream } = await runRecorded(shop, record, async () => ({ ok: true, stream: await createEvidenceZip(shop, order) }));
	return new Response(Readable.toWeb(stream) as ReadableStream, {
		headers: {
			...deskHeaders,
			"content-type": "application/zip",
			"content-disposition": `attachment; filename="dossier-${order.order_number}.zip"`,
		},
	});
}
