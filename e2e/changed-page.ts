import { expect, type Page } from "@playwright/test";
import { delayScripts, waitForHydration } from "./customer.ts";

// Pages that others change: the browser's translation, password managers, blockers and other extensions.

/** The functions that the changes share, in the page. */
const shared = `
	/** The texts that a reader sees, without those in these elements. */
	function listTexts(without) {
		const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		const texts = [];
		while (walker.nextNode()) texts.push(walker.currentNode);
		return texts.filter((text) => text.data.trim() && !text.parentElement.closest("script, style, template, noscript, textarea" + without));
	}
	const marked = (window.marked ??= new WeakSet());
	const wrap = (text, tag) => {
		const element = document.createElement(tag);
		text.replaceWith(element);
		element.append(text);
		return element;
	};
	const add = (parent, tag, attributes = {}) => {
		const element = document.createElement(tag);
		for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
		parent.append(element);
		return element;
	};
`;

/** What others do to a page: JavaScript of the page, that may run again and again. */
const changes = {
	/** As Chrome and Edge do it: the text itself leaves the page. */
	"a translation": `
		for (const text of listTexts(", option, font")) {
			const font = document.createElement("font");
			add(font, "font").textContent = "⟨" + text.data + "⟩";
			text.parentNode.insertBefore(font, text);
			text.remove();
		}
		document.documentElement.lang = "es";
		document.documentElement.classList.add("translated-ltr");`,
	/** The text stays, inside of another element. */
	"an element around each text": `for (const text of listTexts(", option, font")) wrap(text, "font");`,
	/** As Firefox does it. */
	"another text in place of each": `
		for (const text of listTexts("")) {
			if (marked.has(text)) continue;
			const { parentNode, nextSibling } = text;
			text.remove();
			const other = document.createTextNode("⟨" + text.data + "⟩");
			parentNode.insertBefore(other, nextSibling);
			marked.add(other);
		}`,
	/** As Safari does it. */
	"other letters in each text": `for (const text of listTexts("")) if (!text.data.includes("⟨")) text.data = "⟨" + text.data + "⟩";`,
	"the icons of a password manager": `
		for (const field of document.querySelectorAll("input:not([type=hidden]), textarea")) {
			if (field.nextElementSibling?.hasAttribute("data-lastpass-icon-root")) continue;
			const icon = document.createElement("div");
			icon.setAttribute("data-lastpass-icon-root", "true");
			field.after(icon);
		}
		for (const form of document.forms) if (!form.querySelector("com-1password-menu")) add(form, "com-1password-menu");`,
	"links on numbers": `
		for (const text of listTexts(", option, a, button")) {
			const start = text.data.search(/\\d{2}/);
			if (start < 0) continue;
			const number = text.splitText(start);
			number.splitText(/^[\\d\\s]*\\d/.exec(number.data)[0].length);
			wrap(number, "a").href = "tel:" + number.data.replace(/\\D/g, "");
		}`,
	"elements at the edges of the page": `
		if (document.querySelector("deepl-input-controller")) return;
		document.head.prepend(add(document.head, "script", { type: "text/plain" }));
		add(document.head, "style").textContent = ":root { --reader: 1 }";
		document.body.prepend(add(document.body, "div", { class: "honey" }));
		add(document.body, "grammarly-desktop-integration");
		add(document.documentElement, "input", { type: "hidden" });
		add(document.documentElement, "deepl-input-controller");`,
	"the attributes of a dark mode": `
		for (const element of document.querySelectorAll("html, html *:not(script, meta, link)")) {
			element.setAttribute("data-darkreader-inline-color", "");
			if (element.matches("input")) for (const name of ["fdprocessedid", "data-gramm", "data-bwignore"]) element.setAttribute(name, "1");
			if (element.matches("input")) element.style.setProperty("--darkreader-inline-color", "#fff");
		}`,
	"a blocker that takes elements away": `
		for (const element of document.querySelectorAll("aside, h1, footer nav, main p:first-of-type"))
			if (!element.querySelector("input, select, textarea, button")) element.remove();`,
};

export type Change = keyof typeof changes;

export const allChanges = Object.keys(changes) as Change[];

const toScript = (names: readonly Change[]) => `(() => { ${shared} ${names.map((name) => `(() => { ${changes[name]} })();`).join("\n")} })`;

/** Changes the page once. */
export const change = (page: Page, names: readonly Change[]): Promise<void> => page.evaluate(`${toScript(names)}()`);

/** Changes the page again and again, as those do who find their changes undone. */
export const keepChanging = (page: Page, names: readonly Change[]): Promise<void> =>
	page.evaluate(`void setInterval(${toScript(names)}, 5)`);

/** Field → what it holds. */
type Held = Record<string, string>;

/**
 * Opens all folded parts, and fills in all fields that can be seen.
 * @param silently without events, as some password managers do.
 */
export const fillAll = (page: Page, { silently = false } = {}): Promise<void> =>
	page.evaluate((silently) => {
		for (const part of document.querySelectorAll("main details")) part.setAttribute("open", "");
		const texts = new Map(
			Object.entries({ email: "ada@example.fr", number: "3", date: "2026-11-20", month: "2026-10", tel: "0612345678", time: "10:00" }),
		);
		const fields = [...document.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>("input, select, textarea")];
		const writable = fields.filter(
			(field) => !field.disabled && field.type !== "hidden" && field.checkVisibility() && !("readOnly" in field && field.readOnly),
		);
		for (const field of writable) {
			if (field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio")) {
				if (!silently) field.click();
				else field.checked = field.type === "radio" || !field.checked;
				continue;
			}
			if (field instanceof HTMLSelectElement) field.selectedIndex = field.options.length - 1;
			else if (field.type === "file") {
				// the desk sends a file as soon as it is chosen
				if (location.pathname.startsWith("/bureau/")) continue;
				const files = new DataTransfer();
				files.items.add(new File(["552032534"], "liste.csv", { type: "text/csv" }));
				(field as HTMLInputElement).files = files.files;
			} else {
				const text = texts.get(field.type) ?? (field.inputMode === "numeric" ? "75002" : `${field.value}Ada`);
				// as the browser does: React has its own « value » on the field
				Reflect.set(Object.getPrototypeOf(field), "value", text, field);
			}
			if (!silently) for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
		}
	}, silently);

/** What the fields hold that can be seen. */
export const readAll = (page: Page): Promise<Held> =>
	page.evaluate(() => {
		const held: Record<string, string> = {};
		for (const field of document.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>("input, select, textarea")) {
			if (field.disabled || field.type === "hidden" || !field.checkVisibility()) continue;
			// of a refund, asked only with the whole amount
			if (field.name === "stop") continue;
			const isChoice = field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type);
			// React’s own ids are others when it draws the page anew
			const key = [field.form?.getAttribute("id"), field.id, field.name, isChoice && field.value].join(" ").replace(/_r_\w*_/gi, "");
			const files = field instanceof HTMLInputElement && field.files;
			const value = isChoice ? String(field.checked) : files ? `${files.length} files` : field.value;
			held[key in held ? `${key} again` : key] = value;
		}
		return held;
	});

/** Collects the errors that nobody caught, without those that React recovers from: it draws the page anew (error 418). */
export function watchErrors(page: Page): string[] {
	const errors: string[] = [];
	page.on("pageerror", ({ message }) => {
		if (!message.includes("#418")) errors.push(message);
	});
	return errors;
}

/** Opens a page whose scripts do not arrive yet. @returns a function that lets them arrive, and uses the form once. */
export async function openBeforeScripts(page: Page, url: string): Promise<() => Promise<void>> {
	const arrive = await delayScripts(page);
	await page.goto(url, { waitUntil: "domcontentloaded" });
	return async () => {
		await arrive();
		await page.unrouteAll({ behavior: "ignoreErrors" });
		await loadForm(page);
	};
}

/** Loads the code of a form that arrives when it is first used. */
export async function loadForm(page: Page): Promise<void> {
	const field = page.locator("#commande [name=email], #recherche-entreprise [name=q]");
	if ((await field.count()) === 0) return;
	await field.focus();
	await expect.poll(() => field.evaluate((input) => Object.keys(input).some((key) => key.startsWith("__reactFiber")))).toBe(true);
	await waitForHydration(page);
}

/** Whether the page has scripts, and fields to fill in. */
export const hasLiveFields = (page: Page): Promise<boolean> =>
	page.evaluate(() => {
		const fields = document.querySelectorAll("main :is(input:not([type=hidden]), select, textarea)");
		return (
			document.querySelector("script[type=module]") !== null &&
			[...fields].some((field) => field.checkVisibility() || field.closest("details"))
		);
	});

/**
 * Changes a page before its scripts arrive, while they start, and afterwards, and expects its fields to hold what was typed.
 * @param url a page that can be read again. @param shown a part of the page that must be there before it is filled in.
 */
export async function expectKept(page: Page, url: string): Promise<void> {
	const errors = watchErrors(page);
	const before: Change[][] = [
		["a translation", "the icons of a password manager", "elements at the edges of the page", "the attributes of a dark mode"],
		["links on numbers", "a blocker that takes elements away"],
	];
	for (const names of before) {
		const arrive = await openBeforeScripts(page, url);
		await fillAll(page, { silently: true });
		const typed = await readAll(page);
		await change(page, names);
		await arrive();
		expect(await readAll(page), `before: ${names}`).toMatchObject(typed);
	}
	const arrive = await openBeforeScripts(page, url);
	await fillAll(page);
	const typed = await readAll(page);
	await keepChanging(page, ["an element around each text", "the icons of a password manager"]);
	await arrive();
	expect(await readAll(page), "during").toMatchObject(typed);

	await page.goto(url);
	await waitForHydration(page);
	await loadForm(page);
	await change(page, ["another text in place of each", "the icons of a password manager"]);
	await fillAll(page);
	await waitForHydration(page);
	const live = await readAll(page);
	await change(page, ["a translation", "a blocker that takes elements away"]);
	await waitForHydration(page);
	expect(await readAll(page), "after").toEqual(live);
	expect(errors).toEqual([]);
	page.removeAllListeners("pageerror");
}
