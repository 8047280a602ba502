// The least that drawing a page costs: the elements, attributes and texts of the HTML file named by PAGE, given to React as they are.
// Prints the milliseconds of CPU of one renderToString, and how many elements there are.
import { readFileSync } from "node:fs";
import { createElement, type ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { usage } from "./tell-usage.ts";

const times = Number(process.env.TIMES);
const html = readFileSync(process.env.PAGE as string, "utf8");
const empty = new Set(["area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"]);

/** HTML as our own pages are written (every element closed, attributes in double quotes) → what React draws it from. */
function elementsOf(text: string): { root: ReactNode[]; count: number } {
	const root: ReactNode[] = [];
	const open: { tag: string; props: Record<string, unknown>; children: ReactNode[] }[] = [];
	const into = () => open.at(-1)?.children ?? root;
	let count = 0;
	const token =
		/<!--.*?-->|<!doctype[^>]*>|<(script|style)([^>]*)>(.*?)<\/\1>|<\/[\w-]+>|<([\w-]+)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*\/?>|[^<]+/gis;
	for (const [all, rawTag, rawAttributes, content, tag, attributes] of text.matchAll(token)) {
		if (rawTag || tag) count++;
		if (rawTag) {
			into().push(createElement(rawTag, { ...propsOf(rawAttributes), dangerouslySetInnerHTML: { __html: content } }));
		} else if (tag) {
			if (empty.has(tag)) into().push(createElement(tag, propsOf(attributes)));
			else open.push({ tag, props: propsOf(attributes), children: [] });
		} else if (all.startsWith("</")) {
			const closed = open.pop();
			if (closed) into().push(createElement(closed.tag, closed.props, ...closed.children));
		} else if (!all.startsWith("<!")) {
			into().push(all);
		}
	}
	return { root, count };
}

function propsOf(attributes = ""): Record<string, unknown> {
	return Object.fromEntries([...attributes.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)].map(([, name, value]) => [`data-${name}`, value ?? ""]));
}

const { root, count } = elementsOf(html);
const draw = () => renderToString(createElement("div", null, ...root));
for (let time = 0; time < times; time++) draw();
const before = usage().cpu;
for (let time = 0; time < times; time++) draw();
console.log(JSON.stringify({ ms: (usage().cpu - before) / times, elements: count, bytes: draw().length }));
