import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Resvg, renderAsync } from "@resvg/resvg-js";
import * as fontkit from "fontkit";
import { renderToStaticMarkup } from "react-dom/server";
import { lazy } from "../../server/lazy.ts";
import { limitWaiting } from "../../server/limit-concurrency.ts";
import { HeroDrawing } from "./drawings/drawings.tsx";
import { createGuillochePath } from "./drawings/guilloche-path.ts";

/** The size that every network shows completely (Open Graph, 1.91 : 1). */
const width = 1200;
const height = 630;
const left = 80;
/** The maximum width of a line of the title, beside the drawing. */
const measure = 620;

/** The light colours of styles/theme.css. */
const styles = `
.fill-paper { fill: #faf8f2 } .fill-sheet { fill: #fffefb } .fill-shade { fill: #f1eee4 } .fill-accent { fill: #14583f }
.stroke-ink { stroke: #15211c } .stroke-soft { stroke: #4d5953 } .stroke-line { stroke: #dcd7c9 }
.stroke-accent { stroke: #14583f } .stroke-on-accent { stroke: #fff }`;

/** A band across the top, as on the shop's documents. */
const texture = createGuillochePath({ periods: 26, period: 48, height: 34 });

interface Face {
	file: string;
	font: fontkit.Font;
}

/** The build and the sources find a file by the same name (package.json, « imports »). */
const openFaces = lazy((): Record<"serif" | "sans", Face> => {
	const open = (name: string): Face => {
		const file = createRequire(import.meta.url).resolve(`#app/ui/fonts/${name}.ttf`);
		return { file, font: fontkit.create(readFileSync(file)) as fontkit.Font };
	};
	return { serif: open("serif"), sans: open("sans") };
});

type Picture = Buffer<ArrayBuffer>;

/** Draws PNGs of 1200 × 630. */
export interface PreviewPictures {
	/** @param title of a page of the shop: each is drawn once, and stays. */
	drawPage(title: string): Picture;
	/**
	 * Draws a title of which there are millions, with lines below it. The newest stay. @returns null while others are being drawn: a crawler
	 * that asks for all of them costs no more than one of the processor's cores.
	 */
	drawOne(title: string, lines: readonly string[]): Promise<Picture | null>;
}

const privateService = "Service privé et indépendant";
const maxKept = 100;
const maxWaiting = 4;

/**
 * Draws the preview of a shared page: its title beside the sheet of the home page, below the guilloche of the shop’s documents. Drawing takes
 * twenty times as long as a page.
 */
export function previewPictures(): PreviewPictures {
	const pages = new Map<string, Picture>();
	const newest = new Map<string, Picture>();
	const inTurn = limitWaiting(1, maxWaiting);
	return {
		drawPage(title) {
			const picture = pages.get(title) ?? toPicture(new Resvg(draw(title, [privateService]), fontOptions()).render());
			pages.set(title, picture);
			return picture;
		},
		async drawOne(title, lines) {
			const key = [title, ...lines].join("\n");
			const picture = newest.get(key) ?? (await inTurn(async () => toPicture(await renderAsync(draw(title, lines), fontOptions()))));
			if (picture === null) return null;
			newest.delete(key);
			newest.set(key, picture);
			for (const oldest of newest.keys()) if (newest.size > maxKept) newest.delete(oldest);
			return picture;
		},
	};
}

const toPicture = (image: { asPng(): Uint8Array }): Picture => Buffer.from(image.asPng());

function fontOptions() {
	const { serif, sans } = openFaces();
	return { font: { fontFiles: [serif.file, sans.file], loadSystemFonts: false } };
}

/** @param below the lines under the title. @returns an SVG. */
function draw(title: string, below: readonly string[]): string {
	const { sans } = openFaces();
	const { lines, size } = setTitle(title);
	const lineHeight = size * 1.15;
	const firstLine = height / 2 - ((lines.length - 1) * lineHeight) / 2 - 10 - ((below.length - 1) * leading) / 2;
	return renderToStaticMarkup(
		<svg aria-hidden="true" xmlns="http://www.w3.org/2000/svg" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
			<style>{styles}</style>
			<rect width={width} height={height} className="fill-paper" />
			<path d={texture} transform="translate(0 14)" fill="none" className="stroke-accent" strokeWidth={0.8} />
			{lines.flatMap((line, index) =>
				place(line, size).map(({ text, x, face }) => (
					<text key={x} x={x} y={firstLine + index * lineHeight} fontFamily={face.font.familyName} fontSize={size} fill="#15211c">
						{text}
					</text>
				)),
			)}
			{below.map((line, index) => (
				<text
					key={line}
					x={left}
					y={firstLine + (lines.length - 1) * lineHeight + 80 + index * leading}
					fontFamily={sans.font.familyName}
					fontSize={32}
					fill="#4d5953"
				>
					{line}
				</text>
			))}
			<svg aria-hidden="true" x={735} y={65} width={410} height={500} viewBox="0 0 380 440">
				<HeroDrawing />
			</svg>
		</svg>,
	);
}

/** Between the lines below the title. */
const leading = 46;

/** The largest letters in which the title takes three lines at most, and its lines; a longer one is cut. */
function setTitle(title: string): { lines: string[]; size: number } {
	const drawable = toDrawable(title);
	for (const size of [84, 72, 62, 54]) {
		const lines = wrap(drawable, size);
		if (lines.length <= (size === 54 ? 4 : 3) && lines.every((line) => isWithin(line, size))) return { lines, size };
	}
	const lines = wrap(drawable, 44).flatMap((line) => (isWithin(line, 44) ? line : (line.match(/.{1,18}/gu) ?? [])));
	return { lines: lines.length > 5 ? [...lines.slice(0, 4), `${lines[4]}…`] : lines, size: 44 };
}

const isWithin = (line: string, size: number) => (place(line, size).at(-1)?.end ?? 0) <= left + measure;

/** A name without the letters that the fonts do not have: an accent goes, another sign becomes a blank. */
function toDrawable(text: string): string {
	const { font } = openFaces().serif;
	const has = (letter: string) => letter === "’" || letter === "\u00a0" || font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0);
	return [...text.normalize()].map((letter) => [letter, letter.normalize("NFD").charAt(0)].find(has) ?? " ").join("");
}

function wrap(title: string, size: number): string[] {
	const lines: string[] = [];
	for (const word of title.split(" ")) {
		const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
		if (lines.length > 0 && isWithin(longer, size)) lines[lines.length - 1] = longer;
		else lines.push(word);
	}
	return lines;
}

/** A line as runs of one face each: as on the pages, the apostrophe is the sans’s (fonts/fonts.css). */
function place(line: string, size: number): { text: string; x: number; end: number; face: Face }[] {
	const { serif, sans } = openFaces();
	let x = left;
	return line
		.replaceAll("\u00a0", " ") // the font has no outline for it, so its width cannot be measured
		.split(/(’)/)
		.filter((text) => text !== "")
		.map((text) => {
			const face = text === "’" ? sans : serif;
			const end = x + (face.font.layout(text).advanceWidth / face.font.unitsPerEm) * size;
			const run = { text, x, end, face };
			x = end;
			return run;
		});
}
