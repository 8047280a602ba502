import { createHash } from "node:crypto";
import { href } from "react-router";
import { hourSeconds } from "../../../server/durations.ts";
import { companyName } from "../../companies/company-name.ts";
import { findCompany } from "../../companies/find-company.server.ts";
import { hasOwnPicture, listPictureLines } from "../../companies/page/company-picture.ts";
import { parseSiren } from "../../companies/siren.ts";
import { fillIn } from "../../content/fill-in.ts";
import { pages } from "../../content/pages.ts";
import { isContentPage } from "../../content/text.ts";
import { texts } from "../../content/texts.ts";
import { previewPicturesContext, shopContext } from "../../shop.ts";
import type { Route } from "./+types/preview-picture";

/**
 * The preview pictures of pages: /apercu/tarifs.png for /tarifs, /apercu/entreprise/552032534.png for a company, /apercu.png for the home page
 * and pages without their own.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
	const [whole, address] = /^\/apercu(\/.+)?\.png$/.exec(new URL(request.url).pathname) ?? [];
	const { drawPage, drawOne } = context.get(previewPicturesContext);
	const siren = parseSiren(/^\/entreprise\/(\d{9})$/.exec(address ?? "")?.[1] ?? "");
	if (siren) {
		const company = await findCompany(context.get(shopContext).readDb, siren);
		if (!company || !hasOwnPicture(company)) return noPicture();
		const picture = await drawOne(companyName(company.name), listPictureLines(company));
		return picture
			? answer(picture)
			: new Response(null, { status: 302, headers: { location: href("/apercu.png"), "cache-control": "no-store" } });
	}
	const title = whole === "/apercu.png" ? "Votre extrait Kbis, à\u00a0une\u00a0heure précise" : findTitle(address);
	if (title === undefined) return noPicture();
	return answer(drawPage(fillIn(title, context.get(shopContext).textVariables)));
}

const noPicture = () =>
	new Response("Cette image n’existe pas.", { status: 404, headers: { "content-type": "text/plain; charset=utf-8" } });

const answer = (picture: Buffer<ArrayBuffer>) =>
	new Response(picture, {
		headers: {
			"content-type": "image/png",
			"cache-control": `public, max-age=${hourSeconds}, s-maxage=${hourSeconds}`,
			etag: `"${createHash("sha256").update(picture).digest("base64url").slice(0, 22)}"`,
		},
	});

function findTitle(address = ""): string | undefined {
	const text = texts[address];
	return text && isContentPage(text) ? text.heading : pages.find(({ path }) => path === address)?.label;
}
