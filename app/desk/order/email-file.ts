import { shopContext } from "../../shop.ts";
import { sendDownload } from "../shell/send-download.server.ts";
import { getActor } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/email-file";
import { findEmailOfPage } from "./find-order.server.ts";

/** An e-mail as HTML. */
export async function loader({ context, params }: Route.LoaderArgs) {
	const { kind, html } = await findEmailOfPage(context.get(shopContext), getActor(context), params);
	return sendDownload(html, { name: `E-mail_${params.number}_${kind}.html`, type: "text/html; charset=utf-8" });
}
