import { data } from "react-router";
import { isUuid } from "../../../server/uuid.ts";
import { drawDraft } from "../../fulfilment/drafts/draw-draft.server.ts";
import { shopContext } from "../../shop.ts";
import { deskHeaders, getSignedIn } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/preview";

/** Pictures per operator and minute: each costs a process. */
const picturesPerMinute = 120;

/** A page of a dropped extract, as a picture. */
export async function loader({ context, params }: Route.LoaderArgs) {
	const { operator } = getSignedIn(context);
	const shop = context.get(shopContext);
	const taken = await shop.limits("desk-pictures", picturesPerMinute, 60).take(operator.id);
	if (!taken.ok) throw data("Trop d’aperçus ont été demandés. Réessayez dans une minute.", { status: 429 });
	const picture = isUuid(params.draft) ? await drawDraft(shop, { draftId: params.draft, page: Number(params.page) }) : null;
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
