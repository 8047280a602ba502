import { readdirSync, readFileSync } from "node:fs";
import { sep } from "node:path";
import { expect } from "@playwright/test";
import { waitForHydration } from "../customer.ts";
import { alertStates } from "./alert-states.ts";
import { checkoutStates } from "./checkout-states.ts";
import { messageStates } from "./message-states.ts";
import { noticeStates } from "./notice-states.ts";
import { orderStates } from "./order-states.ts";
import { purchaseFormStates } from "./purchase-form-states.ts";
import { purchaseStates } from "./purchase-states.ts";
import { sharingStates } from "./sharing-states.ts";
import { spaceStates } from "./space-states.ts";
import type { State } from "./state.ts";
import { trackingStates } from "./tracking-states.ts";
import { watchStates } from "./watch-states.ts";

/** Pages that consist of one text file, with their layout. Pages with `layout: custom` have their states below. */
const contentPages = readdirSync("app/content/texts", { recursive: true, encoding: "utf8" })
	.filter((file) => file.endsWith(".md"))
	.map((file) => ({
		path: `/${file.split(sep).join("/").slice(0, -".md".length)}`,
		layout: /^layout: (\w+)$/m.exec(readFileSync(`app/content/texts/${file}`, "utf8"))?.[1] ?? "usual",
	}))
	.filter(({ layout }) => layout !== "custom")
	.sort((one, other) => (one.path < other.path ? -1 : 1));

/** Every page of the shop, in each of its states. */
export const states: State[] = [
	{ name: "home", visit: "/", indexable: true },
	{ name: "search: results", visit: "/recherche?q=groupe", indexable: true },
	{ name: "search: a correction", visit: "/recherche?q=dannone", indexable: true },
	{ name: "search: words for the document", visit: "/recherche?q=extrait+kbis+danone", indexable: true },
	{ name: "search: nothing found", visit: "/recherche?q=zzzzqqq", indexable: true },
	{ name: "search: blank query", visit: "/recherche", indexable: true },
	{ name: "company", visit: "/entreprise/552032534", indexable: true },
	{ name: "company: without an extract", visit: "/entreprise/775688732", indexable: true },
	{ name: "company: ceased", visit: "/entreprise/005420039", indexable: true },
	{ name: "company: unknown", visit: "/entreprise/900000001", status: 404 },
	...checkoutStates,
	...purchaseFormStates,
	...noticeStates,
	...trackingStates,
	...watchStates,
	...sharingStates,
	...orderStates,
	...purchaseStates,
	...messageStates,
	...alertStates,
	...spaceStates,
	...contentPages.map(({ path }) => ({ name: `content: ${path}`, visit: path, scriptless: true, indexable: true })),
	{ name: "status page", visit: "/status-systeme", scriptless: true, indexable: true },
	{ name: "statistics: of a new shop", visit: "/statistiques", scriptless: true, indexable: true },
	{ name: "verify a file", visit: "/verifier", indexable: true },
	{
		name: "verify a file: unknown",
		async visit(page) {
			await page.goto("/verifier");
			await waitForHydration(page);
			await page.getByLabel("Choisissez le fichier reçu").setInputFiles({
				name: "autre.pdf",
				mimeType: "application/pdf",
				buffer: Buffer.from("%PDF-1.7"),
			});
			await expect(page.getByText("n’a pas livré ce fichier")).toBeVisible();
		},
	},
	{ name: "verify a file: no fingerprint", visit: "/verifier?empreinte=abc", status: 400 },
	{ name: "unknown URL", visit: "/nulle-part", status: 404 },
	{ name: "demo page", visit: "/test", scriptless: true },
];

const layouts = new Map(contentPages.map(({ path, layout }) => [`content: ${path}`, layout]));

/** The page of a state: what stands before the colon of its name. Texts are one page for each layout: crawl.spec.ts visits all of them. */
const getPage = ({ name }: State) => `${name.replace(/:.*/, "")} ${layouts.get(name) ?? ""}`;

/** Every page once, in the first of its states. */
export const pages = states.filter((state, index) => states.findIndex((other) => getPage(other) === getPage(state)) === index);

export const otherStates = states.filter((state) => !pages.includes(state));
