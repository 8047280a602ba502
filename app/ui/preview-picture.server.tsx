import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Resvg } from "@resvg/resvg-js";
import * as fontkit from "fontkit";
import { renderToStaticMarkup } from "react-dom/server";
import { lazy } from "../../server/lazy.ts";
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

/** @param title of a page of the shop, because each title is cached. @returns a PNG of 1200 × 630. */
export type DrawPreview = (title: string) => Buffer<ArrayBuffer>;

/**
 * Draws the preview of a shared page: its title beside the sheet of the home page, below the guilloche of the shop’s documents. Drawing takes twenty times as long as a page, so
 * each title is drawn once.
 */
export function previewPictures(): DrawPreview {
	const drawn = new Map<string, Buffer<ArrayBuffer>>();
	return (title) => {
		const picture = drawn.get(title) ?? draw(title);
		drawn.set(title, picture);
		return picture;
	};
}

function draw(title: string): Buffer<ArrayBuffer> {
	const { serif, sans } = openFaces();
	const { lines, size } = setTitle(title);
	const lineHeight = size * 1.15;
	const firstLine = height / 2 - ((lines.length - 1) * lineHeight) / 2 - 10;
	const drawing = renderToStaticMarkup(
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
			<text x={left} y={firstLine + (lines.length - 1) * lineHeight + 80} fontFamily={sans.font.familyName} fontSize={32} fill="#4d5953">
				Service privé et indépendant
			</text>
			<svg aria-hidden="true" x={735} y={65} width={410} height={500} viewBox="0 0 380 440">
				<HeroDrawing />
			</svg>
		</svg>,
	);
	const font = { fontFiles: [serif.file, sans.file], loadSystemFonts: false };
	return Buffer.from(new Resvg(drawing, { font }).render().asPng());
}

/** The largest letters in which the title takes three lines at most, and its lines. */
function setTitle(title: string): { lines: string[]; size: number } {
	for (const size of [84, 72, 62]) {
		const lines = wrap(title, size);
		if (lines.length <= 3) return { lines, size };
	}
	return { lines: wrap(title, 54), size: 54 };
}

function wrap(title: string, size: number): string[] {
	const lines: string[] = [];
	for (const word of title.split(" ")) {
		const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
		const end = place(longer, size).at(-1)?.end ?? 0;
		if (lines.length > 0 && end <= left + measure) lines[lines.length - 1] = longer;
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
