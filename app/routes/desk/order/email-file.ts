import { findEmailOfPage } from "../../../desk/order/find-order.server.ts";
import { deskHeaders, getActor, requireOperator } from "../../../desk/shell/signed-in.server.ts";
import { formatAttachmentHeader } from "../../../documents/file-name.ts";
import { shopContext } from "../../../shop.ts";
import type { Route } from "./+types/email-file";

/** An e-mail as HTML, always as a download: the desk's origin shows nobody else's HTML. */
export async function loader({ context, params }: Route.LoaderArgs) {
	requireOperator(context, "serve");
	const { kind, html } = await findEmailOfPage(context.get(shopContext), getActor(context), params);
	return new Response(html, {
		headers: {
			...deskHeaders,
			"content-type": "text/html; charset=utf-8",
			"content-disposition": formatAttachmentHeader(`E-mail_${params.number}_${kind}.html`),
			"x-content-type-options": "nosniff",
			"content-security-policy": "default-src 'none'; sandbox",
		},
	});
}
