import { createHash } from "node:crypto";
import { hourSeconds } from "../../../server/durations.ts";
import { fillIn } from "../../content/fill-in.ts";
import { pages } from "../../content/pages.ts";
import { isContentPage } from "../../content/text.ts";
import { texts } from "../../content/texts.ts";
import { drawPreviewContext, shopContext } from "../../shop.ts";
import type { Route } from "./+types/preview-picture";

/** The preview pictures of pages: /apercu/tarifs.png for /tarifs, /apercu.png for the home page and pages without their own. */
export function loader({ request, context }: Route.LoaderArgs) {
	const [whole, address] = /^\/apercu(\/.+)?\.png$/.exec(new URL(request.url).pathname) ?? [];
	const title = whole === "/apercu.png" ? "Votre extrait Kbis, à\u00a0une\u00a0heure précise" : findTitle(address);
	if (title === undefined)
		return new Response("Cette image n’existe pas.", { status: 404, headers: { "content-type": "text/plain; charset=utf-8" } });
	const { textVariables } = context.get(shopContext);
	const picture = context.get(drawPreviewContext)(fillIn(title, textVariables));
	return new Response(picture, {
		headers: {
			"content-type": "image/png",
			"cache-control": `public, max-age=${hourSeconds}, s-maxage=${hourSeconds}`,
			etag: `"${createHash("sha256").update(picture).digest("base64url").slice(0, 22)}"`,
		},
	});
}

function findTitle(address = ""): string | undefined {
	const text = texts[address];
	return text && isContentPage(text) ? text.heading : pages.find(({ path }) => path === address)?.label;
}
