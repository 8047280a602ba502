import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { inOneBrowser } from "../../../test/browser.ts";
import { deleteRows } from "../../../test/delete-rows.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { serviceCodes } from "../../catalogue/services.ts";
import { closeShop, pauseExpress, reopenShop } from "../../catalogue/settings/change-settings.server.ts";
import { notifyPublicPages } from "../../catalogue/settings/shop-settings.store.server.ts";
import { answerForm } from "./answer-form.server.ts";
import { tooManyForms } from "./form-buttons.server.ts";
import { noFindings } from "./form-state.ts";

/** What stops the form of several orders, or its payment, although nothing in it is wrong. Nothing that was typed is lost. */
let shop: TestShop;
beforeAll(async () => {
	const variables = { ISSUER: "manual", ORDER_LIMITS: "client=2,mailbox=2,shop=20" };
	shop = inOneBrowser(await createTestShop({ now: () => new Date("2026-11-23T09:00:00Z"), variables })); // 10 h in Paris
});
afterEach(async () => {
	await deleteRows(shop.shop.db, "shop_settings");
	await sql`delete from rate_limits`.execute(shop.shop.db);
	await notifyPublicPages(shop.shop.db);
	await untilClosed([]);
});
afterAll(() => shop?.close());

const ada = { id: null, name: "Ada" };
const [danone, other] = ["552032534", "005420039"];
const path = "/commande/plusieurs";
const customer = {
	...{ service: "express", email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace", acceptTerms: "on" },
	...{ billTo: "other", address: "1 rue de la Paix", postalCode: "75002", city: "Paris" },
};
const lines = { lignes: "2", "entreprise-1": danone, "reference-1": "dossier 1", "entreprise-2": other, "service-2": "standard" };

/** Waits until the shop knows its changed settings. */
const untilClosed = (codes: readonly string[]) =>
	vi.waitFor(async () => expect(Object.keys((await shop.shop.readSales()).closed)).toEqual(codes), scaledTimeout(10_000));

const clean = (html: string) =>
	html
		.replaceAll(/[\u00a0\u202f]/g, " ")
		.replaceAll("&#x27;", "'")
		.replaceAll("<!-- -->", "");
const read = async (answer: Response) => clean(await answer.text());

const sendList = () => shop.postForm(path, { entreprises: `${danone} ; dossier 1\n${other}` });
const toUrl = (answer: Response) => answer.headers.get("location") ?? "";

/** Sends the form as its page stands. @returns the answer and, where it is a page, its text. */
async function sendForm(url: string, fields: Record<string, string> = {}) {
	const vues = getHidden(await read(await shop.ask(url)), "vues");
	const answer = await shop.postForm(url, { ...customer, ...lines, vues, ...fields });
	return { status: answer.status, location: toUrl(answer), page: await read(answer) };
}

const expectTyped = (page: string) => {
	for (const typed of ["ada@example.fr", "Lovelace", "1 rue de la Paix", "dossier 1"]) expect(page).toContain(`value="${typed}"`);
};

const getHidden = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";
const suspended = "Les commandes sont suspendues jusqu’à 14 h, heure de Paris. Le registre est en panne.";

async function close(): Promise<void> {
	await closeShop(shop.shop, ada, { until: new Date("2026-11-23T13:00:00Z"), sentence: "Le registre est en panne." });
	await untilClosed(serviceCodes);
}

test("a closed shop says so on the form, and keeps what was typed", async () => {
	const url = toUrl(await sendList());
	await close();
	const { status, page } = await sendForm(url);
	expect([status, page]).toEqual([409, expect.stringContaining(suspended)]);
	expectTyped(page);
});

test("a service that is paused says so, and another may be chosen", async () => {
	const url = toUrl(await sendList());
	await pauseExpress(shop.shop, ada, null);
	await untilClosed(["express"]);
	const { status, page } = await sendForm(url);
	const sentence = "Le KBIS Express n’est pas proposé pour le moment. Choisissez un autre service.";
	expect([status, page]).toEqual([400, expect.stringContaining(sentence)]);
	expectTyped(page);
	// a line’s own service is changed at the line
	const own = await sendForm(url, { "service-1": "express", service: "standard" });
	expect([own.status, own.page]).toEqual([
		400,
		expect.stringMatching(/href="#ligne-1"[^>]*>Le KBIS Express n’est pas proposé pour le moment. Choisissez-en un autre à la ligne 1\.</),
	]);
	expect((await sendForm(url, { service: "standard" })).location).toContain("/paiement");
	// each line of a closed service, and not one that cannot be ordered
	const form = { "service-1": "express", "service-2": "express", "entreprise-3": "zzzzqqq", "service-3": "express", service: "standard" };
	expect((await answer(form)).page.errors).toEqual({
		"ligne-1": "Le KBIS Express n’est pas proposé pour le moment. Choisissez-en un autre aux lignes 1, 2.",
	});
});

test("a shop that closes before the payment places nothing, and takes it once it is open again", async () => {
	const payment = (await sendForm(toUrl(await sendList()))).location;
	const html = await read(await shop.ask(payment));
	const fields = { key: getHidden(html, "key"), amount: getHidden(html, "amount") };
	const before = await shop.countOrders();
	await close();
	const refused = await shop.postForm(payment, fields);
	const kept = "Rien n’a été débité, et votre saisie est conservée.";
	for (const answer of [refused, await shop.ask(payment)]) {
		const page = await read(answer);
		for (const part of [suspended, `${kept} Revenez plus tard.`]) expect(page).toContain(part);
		expect(page).not.toContain("Finaliser ma commande");
	}
	expect([refused.status, await shop.countOrders()]).toEqual([409, before]);
	// the first line's service alone
	await reopenShop(shop.shop, ada);
	await pauseExpress(shop.shop, ada, null);
	await untilClosed(["express"]);
	const paused = await read(await shop.ask(payment));
	expect(paused).toContain("Le KBIS Express n’est pas proposé pour le moment.");
	expect(paused).toContain(`${kept} Vous pouvez choisir un autre service, ou revenir plus tard.`);
	expect(paused).not.toContain("Finaliser ma commande");
	await deleteRows(shop.shop.db, "shop_settings");
	await notifyPublicPages(shop.shop.db);
	await untilClosed([]);
	expect(toUrl(await shop.postForm(payment, fields))).toContain("/bac-a-sable/");
	expect(await shop.countOrders()).toBe(before + 2);
});

/** A stored list, and a request of the browser that sent it. */
let stored: Promise<Response> | undefined;
async function sent() {
	stored ??= sendList();
	const { headers } = await stored;
	const cookie = headers.getSetCookie()[0]?.split(";")[0] ?? "";
	return { token: toUrl(await stored).split("commande=")[1] ?? "", request: new Request(shop.url, { headers: { cookie } }) };
}

/** Answers the form of a stored list, with two lines, without a page that has shown them. */
async function answer(change: Record<string, string>) {
	const { token, request } = await sent();
	const form = new FormData();
	for (const [name, value] of Object.entries({ ...customer, ...lines, ...change })) form.set(name, value);
	const answered = await answerForm(shop.shop, form, { request, token, client: "192.0.2.1" });
	if (answered.ok) throw new Error("nothing is refused");
	return answered;
}

test("a browser without cookies gets what it typed back, and nothing of it is stored before it goes to the payment", async () => {
	const { token } = await sent();
	const request = new Request(shop.url);
	const countForms = async () => (await sql`select from order_forms`.execute(shop.shop.db)).rows.length;
	const before = await countForms();
	for (const change of [{ email: "" }, { intent: "find-billing-company" }, { intent: "update" }]) {
		const form = new FormData();
		for (const [name, value] of Object.entries({ ...customer, ...lines, ...change })) form.set(name, value);
		const { ok, ...refused } = await answerForm(shop.shop, form, { request, token, client: "192.0.2.1" });
		expect([ok, refused]).toEqual([false, { status: "email" in change ? 400 : 200, page: expect.anything() }]);
		expect(refused).toMatchObject({ page: { values: { lastName: "Lovelace" }, lines: [{ line: { reference: "dossier 1" } }, {}] } });
	}
	expect(await countForms()).toBe(before);
});

test("a client that changes too many lists gets a sentence at each button, and its lines again", async () => {
	const form = shop.shop.limits("order-form-changes", 40, 3600);
	while ((await form.take("192.0.2.1")).ok);
	for (const intent of ["", "update", "remove:9", "find-billing-company"]) {
		const { page, ...refused } = await answer({ intent });
		expect([intent, refused]).toEqual([intent, { ok: false, status: 429, retryAfter: expect.any(Number) }]);
		expect(page).toMatchObject({ ...noFindings, refusal: tooManyForms, suggestions: {}, values: { email: "ada@example.fr" } });
		expect(page.lines.map(({ siren, line }) => [siren, line.reference])).toEqual([
			[danone, "dossier 1"],
			[other, ""],
		]);
	}
});

test("a page says what stopped its form, and nothing else", async () => {
	const state = async (change: Record<string, string>) => {
		const { status, page } = await answer(change);
		const { errors, suggestions, doubtful, found, billingFound, refusal, unseen, added, summary } = page;
		// a form without letters has one address
		if (summary) expect(summary).toEqual(errors);
		return { status, errors, suggestions, doubtful, found, billingFound, refusal, unseen, added };
	};
	const nothing = { ...noFindings, status: 200, suggestions: {} };
	expect(await state({})).toEqual({ ...nothing, unseen: [1, 2] });
	expect(await state({ email: "" })).toEqual({ ...nothing, status: 400, errors: { email: "L'adresse email est requise" }, unseen: [1, 2] });
	expect(await state({ billTo: "ordered", "entreprise-2": "zzzzqqq" })).toEqual({ ...nothing, unseen: [1, 2] });
	const suggestions = { email: "ada@gmail.com" };
	expect(await state({ email: "ada@gmial.com" })).toEqual({ ...nothing, suggestions, doubtful: "email", unseen: [1, 2] });
	expect(await state({ email: "ada@gmial.com", checkedEmail: "ada@gmial.com" })).toEqual({ ...nothing, suggestions, unseen: [1, 2] });
	for (const [email, firstName, wrong] of [
		["ada@gmial.com", "", "firstName"],
		["adà@gmial.com", "Ada", "email"],
	] as const)
		expect(await state({ email, firstName })).toEqual({
			...{ ...nothing, suggestions, status: 400, unseen: [1, 2] },
			errors: { [wrong]: expect.any(String) },
		});
	expect(await state({ entreprises: "a\n".repeat(199) })).toEqual({
		...{ ...nothing, status: 400, added: "a\n".repeat(199) },
		errors: { lines: expect.stringContaining("Votre liste a 201 lignes.") },
	});
	expect(await state({ intent: "find-billing-company", billingQuery: "zzzzqqq" })).toEqual({
		...{ ...nothing, billingFound: { text: "zzzzqqq", companies: [] } },
	});
	for (const intent of ["", "update"])
		expect(await state({ intent, billTo: "other", company: "", billingQuery: "zzzzqqq" })).toEqual({
			...{ ...nothing, status: 400, billingFound: { text: "zzzzqqq", companies: [] } },
			errors: { company: expect.stringContaining("Aucune société trouvée") },
		});
	await close();
	expect(await state({})).toEqual({ ...nothing, status: 409, refusal: suspended.replace(" h,", "\u00a0h,") });
	expect(await state({ email: "" })).toMatchObject({ status: 400, errors: { email: "L'adresse email est requise" }, refusal: null });
});

test("a client that sends too many lists gets a sentence, and its text again", async () => {
	const answers: Response[] = [];
	for (let i = 0; i < 9; i++) answers.push(await sendList());
	const last = answers.at(-1);
	expect(answers.slice(0, -1).map(({ status }) => status)).toEqual(Array(8).fill(303));
	expect([last?.status, last?.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
	const page = last ? await read(last) : "";
	expect(page).toContain("Trop de formulaires ont été envoyés depuis votre connexion.");
	expect(page).toContain(`${danone} ; dossier 1`);
});

test("a file of UTF-16 with semicolons is read", async () => {
	const body = new FormData();
	body.set("fichier", new File([Buffer.from(`\ufeffSIREN;Référence\r\n${danone};Été\r\n`, "utf16le")], "liste.csv"));
	const answer = await shop.ask(path, { method: "POST", body });
	expect(await read(await shop.ask(toUrl(answer)))).toContain('value="Été"');
});
