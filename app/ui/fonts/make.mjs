// Cuts the fonts of the shop out of the published ones: two for its pages, three for its invoices.
// Run by hand when a list of letters changes: node app/ui/fonts/make.mjs. The results are committed.
import { readFileSync, writeFileSync } from "node:fs";
import subsetFont from "subset-font";
import { printableLetters } from "./printable.ts";

const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("");
const french = "ÀÂÄÆÇÉÈÊËÎÏÔÖŒÙÛÜŸàâäæçéèêëîïôöœùûüÿ«»’‘“”–—…€·\u00a0\u202f";
const marks = "•✓→°²№×";

/** Text: regular to semi-bold in one variable file. Figures of both fonts are tabular as drawn. */
const sans = await subsetFont(readFileSync("node_modules/source-sans/VF/SourceSans3VF-Upright.ttf"), ascii + french + marks, {
	targetFormat: "truetype",
	variationAxes: { wght: { min: 400, max: 600, default: 400 } },
	keepFeatures: ["kern"],
	dropTables: ["GDEF", "MVAR"],
	noHinting: true,
});
// a second pass, because only the uncompressed form can be renamed
const renamedSans = await subsetFont(renamed(sans), ascii + french + marks, { targetFormat: "woff2" });

const frenchWithoutApostrophes = (ascii + french).replace(/['’‘]/g, "");

/** Headings. Their apostrophe is the sans’s (fonts.css): this one reads like an accent. */
const serif = await subsetFont(
	readFileSync("node_modules/@fontsource/spectral/files/spectral-latin-500-normal.woff2"),
	frenchWithoutApostrophes,
	{
		targetFormat: "woff2",
		keepFeatures: ["kern"],
		dropTables: ["GDEF"],
		noHinting: true,
	},
);

writeFileSync(new URL("sans.woff2", import.meta.url), renamedSans);
writeFileSync(new URL("serif.woff2", import.meta.url), serif);

/** For print: no variable axes, no compression (PDFs embed neither), and every letter that a European name may have. */
const forPrint = { targetFormat: "truetype", keepFeatures: ["kern"], dropTables: ["GDEF"], noHinting: true };
const printed = (name) => new URL(`./${name}.ttf`, import.meta.url);
for (const [name, file] of [
	["sans", "source-sans/TTF/SourceSans3-Regular.ttf"],
	["sans-strong", "source-sans/TTF/SourceSans3-Semibold.ttf"],
]) {
	writeFileSync(printed(name), renamed(await subsetFont(readFileSync(`node_modules/${file}`), printableLetters, forPrint)));
}
writeFileSync(
	printed("serif"),
	await subsetFont(
		readFileSync("node_modules/@fontsource/spectral/files/spectral-latin-500-normal.woff"),
		frenchWithoutApostrophes,
		forPrint,
	),
);

/** “Source” is a reserved name: a modified font may not bear it (SIL Open Font License 1.1, condition 3). */
function renamed(font) {
	const utf16be = (name) => Buffer.from(name, "utf16le").swap16();
	for (const name of ["Source Sans 3", "SourceSans3"]) {
		const ours = utf16be("Texte".padEnd(name.length, "x"));
		for (let at = font.indexOf(utf16be(name)); at !== -1; at = font.indexOf(utf16be(name), at)) ours.copy(font, at);
	}
	return font;
}
