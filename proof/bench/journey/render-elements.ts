// The baseline of rendering a page: React renders the elements, attributes and texts of the HTML file named by PAGE as they are.
// Prints the milliseconds of CPU of one renderToString and the number of elements.
import { readFileSync } from "node:fs";
import { createElement, type ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { measureUsage } from "../../../test/report-usage.ts";

const times = Number(process.env.TIMES);
const voidTags = new Set(["area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"]);
const token =
	/<!--.*?-->|<!doctype[^>]*>|<(script|style)([^>]*)>(.*?)<\/\1>|<\/[\w-]+>|<([\w-]+)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*\/?>|[^<]+/gis;

/** Parses HTML as our pages are written: every element closed, attributes in double quotes. */
function parseElements(html: string): { root: ReactNode[]; count: number } {
	const root: ReactNode[] = [];
	const open: { tag: string; props: Record<string, unknown>; children: ReactNode[] }[] = [];
	let count = 0;
	for (const [all, rawTag, rawAttributes, content, tag, attributes] of html.matchAll(token)) {
		const parent = open.at(-1)?.children ?? root;
		if (rawTag || tag) count++;
		if (rawTag) {
			parent.push(createElement(rawTag, { ...parseProps(rawAttributes), dangerouslySetInnerHTML: { __html: content } }));
		} else if (tag) {
			if (voidTags.has(tag)) parent.push(createElement(tag, parseProps(attributes)));
			else open.push({ tag, props: parseProps(attributes), children: [] });
		} else if (all.startsWith("</")) {
			const closed = open.pop();
			if (closed) (open.at(-1)?.children ?? root).push(createElement(closed.tag, closed.props, ...closed.children));
		} else if (!all.startsWith("<!")) {
			parent.push(all);
		}
	}
	return { root, count };
}

function parseProps(attributes = ""): Record<string, unknown> {
	return Object.fromEntries([...attributes.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)].map(([, name, value]) => [`data-${name}`, value ?? ""]));
}

const { root, count } = parseElements(readFileSync(process.env.PAGE as string, "utf8"));
const render = () => renderToString(createElement("div", null, ...root));
for (let time = 0; time < times; time++) render();
const before = measureUsage().cpu;
for (let time = 0; time < times; time++) render();
console.log(JSON.stringify({ ms: (measureUsage().cpu - before) / times, elements: count }));
