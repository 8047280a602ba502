import { expect, test } from "vitest";
import { isLink, isRichText } from "./rich-text.ts";

const link = { link: "ici", url: "/ici" };

test.each<[object | string, boolean, boolean]>([
	["Un mot", false, true],
	[link, true, true],
	[{ strong: "fort" }, false, true],
	[["Voyez ", link], false, true],
	[{ heading: "Prix" }, false, false],
	[{ list: ["un"], numbered: false }, false, false],
	[{ quote: ["un"] }, false, false],
])("whether %j is a link: %s, and a paragraph: %s", (block, isOneLink, isParagraph) => {
	expect([isLink(block), isRichText(block)]).toEqual([isOneLink, isParagraph]);
});
