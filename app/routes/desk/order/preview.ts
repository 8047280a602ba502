import { data } from "react-router";
import { isUuid } from "../../../../server/uuid.ts";
import { deskHeaders, requireOperator } from "../../../desk/shell/signed-in.server.ts";
import { drawDraft } from "../../../fulfilment/drafts/draw-draft.server.ts";
import { shopContext } from "../../../shop.ts";
import type { Route } from "./+types/preview";

/** A page of a dropped extract, as a picture. */
export async function loader({ context, params }: Route.LoaderArgs) {
	requireOperator(context, "serve");
	const picture = isUuid(params.draft)
		? await drawDraft(context.get(shopContext), { draftId: params.draft, page: Number(params.page) })
		: null;
	if (picture === null) throw data(null, { status: 404 });
	return new Response(new Uint8Array(picture), {
		headers: {
			...deskHeaders,
			"content-type": "image/png",
			"x-content-type-options": "nosniff",
			"content-length": String(picture.byteLength),
			"content-security-policy": "default-src 'none'; sandbox",
		},
	});
}
