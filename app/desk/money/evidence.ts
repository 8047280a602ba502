import { data } from "react-router";
import { shopContext } from "../../shop.ts";
import { runRecorded } from "../log/run-recorded.server.ts";
import { findOrderOfPage } from "../order/find-order.server.ts";
import { sendDownload } from "../shell/send-download.server.ts";
import { getActor } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/evidence";
import { createEvidenceZip } from "./dispute-evidence.server.ts";

/** The evidence for a dispute, as one archive. Who took it is in the trail. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const order = await findOrderOfPage(shop, params.number);
	if (order.erased_at) throw data("Le client de cette commande a été effacé.", { status: 404 });
	const record = { verb: "download-evidence", subject: order.order_number, actor: getActor(context) };
	const { stream } = await runRecorded(shop, record, async () => ({ ok: true, stream: await createEvidenceZip(shop, order) }));
	return sendDownload(stream, { name: `dossier-${order.order_number}.zip`, type: "application/zip" });
}
