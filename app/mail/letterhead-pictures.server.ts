import { lazy } from "../../server/lazy.ts";
import { createGuillochePath } from "../ui/drawings/guilloche-path.ts";
import { logoPaths } from "../ui/logo-paths.ts";
import { letterhead } from "./letterhead.ts";

/** One green that shows on the light and on the dark paper of e-mails: a picture cannot ask which one it lies on. */
const ink = "#2f7d5f";

/** As SVG, which mailboxes do not show, drawn at twice their size in the e-mail for the mark, whose lines are fine. */
async function drawPictures() {
	const { Resvg } = await import("@resvg/resvg-js");
	const { band, mark } = letterhead;
	// whole pixels, so that the periods compress
	const periods = 25;
	const path = createGuillochePath({ periods: periods + 1, period: band.width / periods, height: band.height, lines: 4 });
	const lines = `<path d="${path}" fill="none" stroke="${ink}" stroke-width="0.5"/>`;
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${band.width}" height="${band.height}">${lines}</svg>`;
	const { sheet, fold, seal, check } = logoPaths;
	const pen = `fill="none" stroke="${ink}" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round"`;
	const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" ${pen}><path d="${sheet}"/><path d="${fold}"/><circle cx="${seal.cx}" cy="${seal.cy}" r="${seal.r}" fill="${ink}"/><path d="${check}" stroke="#fffefb"/></svg>`;
	return [
		{ ...band, name: "guilloche.png", content: new Resvg(svg).render().asPng() },
		{ ...mark, name: "logo.png", content: new Resvg(logo, { fitTo: { mode: "width", value: 2 * mark.width } }).render().asPng() },
	];
}

/** Drawn once in a process. */
const getPictures = lazy(drawPictures);

/** The pictures that the HTML of an e-mail shows. They travel in it: one that is loaded would tell us when it is read. */
export const listPictures = async (html: string) => (await getPictures()).filter(({ cid }) => html.includes(`"cid:${cid}"`));
