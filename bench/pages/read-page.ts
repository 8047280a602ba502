import type { Browser } from "@playwright/test";

export interface ReadPage {
	/** What stands in its head, as HTML, without scripts. */
	head: string;
	/** Its elements as the arguments of React's createElement, written `h`. */
	source: string;
	elements: number;
	text: string;
}

/** Reads a page as the browser understood it. @param root where its elements are; its body otherwise */
export async function readPage(browser: Browser, address: string, root = "body"): Promise<ReadPage> {
	const page = await browser.newPage();
	await page.goto(address, { waitUntil: "networkidle" });
	const read = await page.evaluate(asCalls, root);
	await page.close();
	return read;
}

/** Runs in the page: elements → calls of createElement, with attributes named as React wants them. */
function asCalls(rootSelector: string): ReadPage {
	const renamed: Record<string, string> = { class: "className", for: "htmlFor", value: "defaultValue", checked: "defaultChecked" };
	const written = (node: Node): string => {
		if (node instanceof Text) return JSON.stringify(node.data);
		if (!(node instanceof Element)) return "null";
		const props = Object.fromEntries(
			[...node.attributes].map(({ name, value }) => {
				// an attribute that is there and empty is true, where the element has such a property
				const isTrue = value === "" && typeof (node as unknown as Record<string, unknown>)[name] === "boolean";
				return [renamed[name] ?? name, isTrue || value];
			}),
		);
		if (node instanceof HTMLScriptElement) props.dangerouslySetInnerHTML = { __html: node.text } as never;
		const children = node instanceof HTMLScriptElement ? [] : [...node.childNodes].map(written);
		return `h(${[JSON.stringify(node.localName), JSON.stringify(props), ...children].join(",")})`;
	};
	const root = document.querySelector(rootSelector) ?? document.body;
	const head = document.head.cloneNode(true) as HTMLElement;
	for (const script of head.querySelectorAll("script:not([type='application/ld+json'])")) script.remove();
	return {
		head: head.innerHTML,
		source: [...root.childNodes].map(written).join(","),
		elements: root.querySelectorAll("*").length,
		text: root.textContent ?? "",
	};
}
