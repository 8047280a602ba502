import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { findOrder, recordEvent } from "../../orders/orders.store.server.ts";
import { createTrackingCookies } from "./tracking-access.server.ts";

type Placed = Awaited<ReturnType<TestShop["placeOrder"]>>;

let shop: TestShop;
let express: Placed;
let postal: Placed;
let ahead = 0; // how far the shop's clock is ahead of ours
beforeAll(async () => {
	shop = await createTestShop({ now: () => new Date(Date.now() + ahead) });
	[express, postal] = await Promise.all([
		shop.completeOrder(),
		shop.completeOrder({ service: "postal", customer: { email: "grace@example.fr" } }),
	]);
});
afterAll(() => shop?.close());

const notFound = "Commande non trouvée. Vérifiez vos informations.";
const search = (fields: Record<string, string>) => shop.postForm("/suivi-commande", fields);

describe("the tracking page", () => {
	test.each([
		[{}, 400, "Veuillez remplir tous les champs"],
		[{ email: "ada@example.fr", orderId: "  " }, 400, "Veuillez remplir tous les champs"],
		[{ email: "ada", orderId: "KB-2222-2222" }, 400, "Adresse email invalide"],
		[{ email: "ada@example", orderId: "KB-2222-2222" }, 400, "Adresse email invalide"],
		[{ email: "ada@example.fr", orderId: "KB-2222-2222" }, 404, notFound],
		[{ email: "ada@example.fr", orderId: "<script>" }, 404, notFound],
	])("%o: %i, %s", async (fields: Record<string, string>, status, sentence) => {
		const answer = await search(fields);
		expect(answer.status).toBe(status);
		expect(answer.headers.get("set-cookie")).toBeNull();
		const page = await answer.text();
		expect(page).toContain(sentence);
		for (const typed of [fields.email, fields.orderId === "<script>" ? "&lt;script&gt;" : fields.orderId?.trim()])
			if (typed) expect(page).toContain(`value="${typed}"`); // nothing typed is lost
	});

	/** Signs in with e-mail and number. @returns the cookie as a browser sends it back. */
	async function signIn(email: string, placed: Placed) {
		const answer = await search({ email, orderId: placed.number.toLowerCase() });
		expect({ status: answer.status, to: answer.headers.get("location") }).toEqual({ status: 303, to: `/suivi/${placed.number}` });
		return { header: answer.headers.get("set-cookie") ?? "", cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "" };
	}
	const open = (placed: Placed, cookie?: string) => shop.ask(`/suivi/${placed.number}`, cookie ? { headers: { cookie } } : {});

	test("prints no value of a condition beside its elements", async () => {
		for (const placed of [express, postal]) {
			const html = await (
				await open(placed, (await signIn(placed === express ? "ada@example.fr" : "grace@example.fr", placed)).cookie)
			).text();
			expect(html).toContain("Terminé");
			expect(/<(?:div|section|main)[^>]*>(?:\d+|null|undefined|NaN|false)</.exec(html)?.[0]).toBeUndefined();
		}
	});

	test("shows again what was typed, cut to what a field holds", async () => {
		const { cookie } = await signIn("ada@example.fr", express);
		const post = (fields: Record<string, string>) => shop.postForm(`/suivi/${express.number}`, fields, { cookie });
		const fill = (length: number, letter = "x") => letter.repeat(length);
		for (const [answer, length, ...letters] of [
			[await search({ email: fill(401), orderId: fill(401, "y") }), 254, "x", "y"],
			[await shop.postForm("/retractation", { email: fill(401), orderId: fill(401, "y") }), 400, "x", "y"],
			[await post({ intent: "share", label: fill(401), days: "7", code: "" }), 300, "x"],
		] as const) {
			const html = await answer.text();
			for (const letter of letters) expect(html.includes(`"${fill(length, letter)}"`), `${answer.url} ${letter}`).toBe(true);
		}
		await shop.shop.db.updateTable("orders").set({ status: "processing" }).where("id", "=", express.id).execute();
		const html = await (await post({ intent: "correct-addresses", email: fill(401), recipient: fill(401, "y") })).text();
		await shop.shop.db.updateTable("orders").set({ status: "completed" }).where("id", "=", express.id).execute();
		for (const letter of ["x", "y"]) expect(html).toContain(`"${fill(300, letter)}"`);
	});

	test("opens for an hour with e-mail and number, by an HTTP-only cookie that is sent only to it", async () => {
		const { header, cookie } = await signIn("ada@example.fr", express);
		for (const path of [`/suivi/${express.number}`, `/suivi/${express.number}.data`]) expect(header).toContain(`; Path=${path};`);
		expect(header).toMatch(/; HttpOnly(;|$)/);
		expect(header).toMatch(/; SameSite=Lax(;|$)/);
		expect(header).toMatch(/; Max-Age=3600(;|$)/);
		expect(decodeURIComponent(header).toLowerCase()).not.toContain("example");

		const answer = await open(express, cookie);
		expect(answer.headers.get("cache-control")).toBe("no-store");
		const page = await answer.text();
		for (const shown of ["DANONE", express.number, "Terminé", "Télécharger", "Paiement reçu"]) expect(page).toContain(shown);
		expect(page).not.toContain("ligne 1 sur"); // it was bought alone
		ahead = 3_601_000;
		expect(await (await open(express, cookie)).text()).not.toContain("DANONE");
		ahead = 0;
	});

	test("removes the access on « Quitter », and redirects to the form", async () => {
		const { cookie } = await signIn("ada@example.fr", express);
		expect(await (await open(express, cookie)).text()).toContain("Quitter");
		for (const headers of [{ cookie }, {}] as Record<string, string>[]) {
			const answer = await shop.postForm(`/suivi/${express.number}`, { intent: "quit" }, headers);
			expect([answer.status, answer.headers.get("location")]).toEqual([303, "/suivi-commande"]);
			// the attributes of the cookie that it deletes: a browser accepts no others
			const paths = ["", ".data"].map((end) => `suivi=; Max-Age=0; Path=/suivi/${express.number}${end}; HttpOnly; SameSite=Lax`);
			const [page, data, ...confirmation] = answer.headers.getSetCookie();
			expect([page, data]).toEqual(paths);
			// who has no access learns nothing of the confirmation, whose URL is a key
			const confirmations = ["", ".data"].map(
				(end) => `commande=; Max-Age=0; Path=/confirmation/${express.sessionId}${end}; HttpOnly; SameSite=Lax`,
			);
			const resume = expect.stringMatching(/^commande=; Max-Age=0; Path=\/paiement\/reprendre\/[^;]+; HttpOnly; SameSite=Lax$/);
			const forms = ["/commande", "/commande.data", "/paiement", "/paiement.data"].map(
				(path) => `saisie=; Max-Age=0; Path=${path}; HttpOnly; SameSite=Lax`,
			);
			const ordering = `commande=; Max-Age=0; Path=/suivi/${express.number}; HttpOnly; SameSite=Lax`;
			expect(confirmation).toEqual([...("cookie" in headers ? [...confirmations, resume, ordering] : []), ...forms]);
		}
	});

	test("asks for e-mail and number without the cookie, with the number filled in", async () => {
		const page = await (await open(express)).text();
		expect(page).toContain(`value="${express.number}"`);
		expect(page).not.toContain("DANONE");
	});

	test("does not open another order with the cookie, nor any with an altered one", async () => {
		const { cookie } = await signIn("ada@example.fr", express);
		const [name = "", token = ""] = cookie.split("=");
		const other = shop.shop.signer.sign("document", `${express.id}.9999999999`);
		const tries: [Placed, string][] = [
			[postal, cookie],
			[express, `${cookie}x`],
			[express, cookie.slice(0, -1)],
			[express, `${name}=${token.split(".").reverse().join(".")}`],
			[express, `${name}=${other}`],
			[express, `${name}=`],
		];
		for (const [placed, altered] of tries) {
			const page = await (await open(placed, altered)).text();
			expect(page).not.toContain("DANONE");
			expect((await shop.ask(`/suivi/${placed.number}/direct`, { headers: { cookie: altered } })).status).toBe(403);
		}
	});

	test("hides addresses, amounts and what names them from the reader of a forwarded e-mail", async () => {
		const order = (await findOrder(shop.shop.db, express.id)) ?? expect.fail();
		const set = (values: { status: "processing" | "completed" }) =>
			shop.shop.db.updateTable("orders").set(values).where("id", "=", order.id).execute();
		await shop.shop.db.transaction().execute(async (trx) => {
			await recordEvent(trx, { orderId: order.id, type: "refunded", payload: { amount: 100 }, now: shop.shop.now() });
			await recordEvent(trx, { orderId: order.id, type: "company_changed", payload: { name: "AUTRE SAS" }, now: shop.shop.now() });
		});
		await set({ status: "processing" });
		const read = async (access: "purchase" | "link") => {
			const cookie = createTrackingCookies(shop.shop, order, access).getSetCookie()[0]?.split(";")[0] ?? "";
			const pages = [`/suivi/${express.number}`, `/suivi/${express.number}.data`];
			return (await Promise.all(pages.map(async (path) => (await shop.ask(path, { headers: { cookie } })).text()))).join();
		};
		const [full, link] = [await read("purchase"), await read("link")];
		await set({ status: "completed" });
		await shop.shop.db.deleteFrom("order_events").where("event_type", "in", ["refunded", "company_changed"]).execute();
		for (const shown of ["ada@example.fr", "Remboursement effectué", "AUTRE SAS", "invoice"]) expect(full, shown).toContain(shown);
		for (const hidden of ["ada@example.fr", "Remboursement effectué", "AUTRE SAS", '"refunded"'])
			expect(link, hidden).not.toContain(hidden);
		expect(link).toContain("a…@example.fr");
	});

	test("shows the tracking number of a letter, and no extract to download", async () => {
		const { cookie } = await signIn("grace@example.fr", postal);
		const page = await (await open(postal, cookie)).text();
		const { tracking_number } = await shop.orderRow(postal.id);
		expect(page).toContain(tracking_number);
		expect(page.replaceAll("<!-- -->", "")).toMatch(/Facture F\d{4}-\d{6} du/);
		expect(page).not.toMatch(/Extrait(<!-- -->)? du/);
	});

	test("updates when the order changes, with the cookie only", async () => {
		const placed = await shop.placeOrder();
		const { cookie } = await signIn("ada@example.fr", placed);
		expect((await shop.ask(`/suivi/${placed.number}/direct`)).status).toBe(403);
		await expectChangesOnPayment(placed, `/suivi/${placed.number}/direct`, { cookie });
	});
});

describe("a shop on https", () => {
	let secure: TestShop;
	beforeAll(async () => {
		secure = await createTestShop({ variables: { BASE_URL: "https://extraits.example" } });
	});
	afterAll(() => secure?.close());

	test("prefixes its cookies so that browsers take them only from https, and reads no others", async () => {
		const placed = await secure.placeOrder();
		const answer = await secure.postForm("/suivi-commande", { email: "ada@example.fr", orderId: placed.number });
		const [header = ""] = answer.headers.getSetCookie();
		expect(header).toMatch(/^__Secure-suivi=[\w.~-]+; Max-Age=3600; Path=\/suivi\/KB-[\w-]+; HttpOnly; Secure; SameSite=Lax$/);
		const cookie = header.split(";")[0] ?? "";
		const page = async (sent: string) => (await secure.ask(`/suivi/${placed.number}`, { headers: { cookie: sent } })).text();
		expect(await page(`commande=x; ${cookie}`)).toContain("DANONE");
		expect(await page(cookie.replace("__Secure-", ""))).not.toContain("DANONE");
		const resumed = await secure.postForm(`/suivi/${placed.number}`, { intent: "resume" }, { cookie });
		for (const set of resumed.headers.getSetCookie())
			expect(set).toMatch(/^__Secure-commande=[^;]+; .*; Path=\/(confirmation|paiement\/reprendre|suivi)\/.*; Secure; /);
		expect(resumed.headers.getSetCookie()).toHaveLength(4);
		const quit = await secure.postForm(`/suivi/${placed.number}`, { intent: "quit" }, { cookie });
		expect(quit.headers.get("set-cookie")).toMatch(/^__Secure-suivi=; Max-Age=0; Path=\/suivi\/KB-[\w-]+; HttpOnly; Secure; SameSite=Lax,/);
		// a copy of the cookie opens nothing either
		expect(await page(cookie)).not.toContain("DANONE");
	});
});

describe("the tracking link of an e-mail", () => {
	/** Follows the link of the confirmation. @returns the cookie. */
	async function follow(path: string) {
		const answer = await shop.ask(path);
		expect(answer.status).toBe(303);
		return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
	}
	const findLink = async (placed: Placed, kind: "confirmation" | "document-ready" = "confirmation") =>
		/\/suivi\/[\w-]+\/acces\/[\w.-]+/.exec((await shop.getMails(placed, kind))[0]?.text ?? "")?.[0] ?? "";
	const openPage = async (placed: Placed, cookie: string) => (await shop.ask(`/suivi/${placed.number}`, { headers: { cookie } })).text();

	test.each(["confirmation", "document-ready"] as const)("of the kind %s opens the order without typing", async (kind) => {
		const path = await findLink(express, kind);
		const [, content = ""] = /\/acces\/([\w-]+)/.exec(path) ?? [];
		expect(Buffer.from(content, "base64url").toString()).not.toMatch(/@|example/i);
		const answer = await shop.ask(path);
		expect([answer.status, answer.headers.get("location")]).toEqual([303, `/suivi/${express.number}`]);
		expect(answer.headers.get("cache-control")).toBe("no-store");
		for (const shown of ["DANONE", "Terminé", "Télécharger"]) expect(await openPage(express, await follow(path))).toContain(shown);
	});

	test("shows the reader of a forwarded e-mail neither address nor invoice, and lets them do nothing", async () => {
		const cookie = await follow(await findLink(express));
		const page = await openPage(express, cookie);
		expect(page).not.toMatch(/ada@example\.fr|Lovelace|Facture<|Facture F|value="cancel"|value="ask-refund"|\/facture"/);
		expect(page).toContain("Gérer cette commande");
		const form = await shop.ask(`/suivi/${express.number}/facture`, { headers: { cookie } });
		const corrected = await shop.postForm(`/suivi/${express.number}/facture`, { invoice: "F2026-000001" }, { cookie });
		for (const answer of [form, corrected]) {
			expect(answer.status).toBe(403);
			expect(await answer.text()).toContain("Confirmez l’adresse e-mail de la commande pour aller plus loin.");
		}
		const asked = await shop.postForm(`/suivi/${express.number}`, { intent: "ask-refund", message: "Illisible" }, { cookie });
		expect(asked.status).toBe(403);
		expect(await shop.getEventTypes(express.id)).not.toContain("refund_requested");
		const full = await search({ email: "ada@example.fr", orderId: express.number });
		expect(await openPage(express, full.headers.get("set-cookie")?.split(";")[0] ?? "")).toContain(`/suivi/${express.number}/facture`);
	});

	test("does not reduce the access of a browser that has more", async () => {
		const found = await search({ email: "ada@example.fr", orderId: express.number });
		const cookie = found.headers.get("set-cookie")?.split(";")[0] ?? "";
		const answer = await shop.ask(await findLink(express), { headers: { cookie } });
		expect([answer.status, answer.headers.getSetCookie()]).toEqual([303, []]);
	});

	test("changes nothing when a mail scanner requests it", async () => {
		const before = [await shop.orderRow(express.id), await shop.getEventTypes(express.id)];
		for (const method of ["HEAD", "GET", "GET"]) await shop.ask(await findLink(express), { method });
		expect([await shop.orderRow(express.id), await shop.getEventTypes(express.id)]).toEqual(before);
	});

	test("opens nothing when it is altered, of another order, expired, or sent to an address corrected since", async () => {
		const path = await findLink(express);
		const token = path.split("/").at(-1) ?? "";
		const isRefused = async (tried: string) => {
			const answer = await shop.ask(tried);
			expect([answer.status, answer.headers.getSetCookie()]).toEqual([410, []]);
			expect(await answer.text()).toContain("Ce lien n’est plus valable.");
		};
		await isRefused(`${path}x`);
		await isRefused(`/suivi/${postal.number}/acces/${token}`);
		await isRefused("/suivi/KB-2222-2222/acces/x");
		ahead = 31 * 86_400_000;
		await isRefused(path);
		ahead = 0;
		const cookie = await follow(path);
		await shop.shop.db.updateTable("orders").set({ customer_email: "ada.l@example.fr" }).where("id", "=", express.id).execute();
		try {
			await isRefused(path);
			expect(await openPage(express, cookie)).not.toContain("DANONE");
		} finally {
			await shop.shop.db.updateTable("orders").set({ customer_email: "ada@example.fr" }).where("id", "=", express.id).execute();
		}
	});
});

describe("the confirmation page", () => {
	test("opens the tracking page in the browser that paid, and in no other", async () => {
		const query = { siren: "552032534", service: "express", email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace" };
		const address = `/paiement?${new URLSearchParams({ ...query, acceptTerms: "on" })}`;
		const started = await shop.postForm(address, { amount: "5900", key: crypto.randomUUID() });
		const payUrl = started.headers.get("location") ?? "";
		const page = `/confirmation/${payUrl.split("/").at(-1)}`;
		const cookie = started.headers.getSetCookie()[0]?.split(";")[0] ?? "";
		const unpaid = await shop.ask(page, { headers: { cookie } });
		expect(unpaid.headers.getSetCookie()).toEqual([]);
		await shop.payByCard(payUrl);
		await shop.letPagesAsk();
		const [suivi = ""] = (await shop.ask(page, { headers: { cookie } })).headers.getSetCookie();
		const [, path = ""] = /; Path=([^;]+)/.exec(suivi) ?? [];
		expect(path).toMatch(/^\/suivi\/KB-/);
		expect(await (await shop.ask(path, { headers: { cookie: suivi.split(";")[0] ?? "" } })).text()).toContain("DANONE");
		expect((await shop.ask(page)).headers.getSetCookie()).toEqual([]);
	});

	test("updates when the order changes", async () => {
		const placed = await shop.placeOrder();
		await expectChangesOnPayment(placed, `/confirmation/${placed.sessionId}/direct`, {});
	});

	test("shows nothing and has no stream for an unknown session", async () => {
		const page = await shop.ask("/confirmation/cs_test_nobody");
		expect(page.status).toBe(404);
		expect(await page.text()).toContain("Commande introuvable");
		expect((await shop.ask("/confirmation/cs_test_nobody/direct")).status).toBe(404);
		const none = await shop.ask("/confirmation");
		expect(none.status).toBe(400);
		expect(await none.text()).toContain("ID de session manquant");
	});
});

/** Listens to the stream, pays, and expects an event without personal data. */
async function expectChangesOnPayment(placed: Placed, path: string, headers: Record<string, string>) {
	const stop = new AbortController();
	const stream = await shop.ask(path, { headers, signal: stop.signal });
	expect(stream.status).toBe(200);
	expect(stream.headers.get("content-type")).toBe("text/event-stream");
	expect(stream.headers.get("cache-control")).toBe("no-store");
	const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
	const next = async () => (await reader?.read())?.value ?? "";

	expect(await next()).toContain("event: change"); // the changes between the page and the stream
	await shop.payByCard(placed.payUrl);
	expect(await next()).toMatch(/^event: change\ndata:\n\n/);
	await shop.untilOrderIs("completed", placed.id);
	await reader?.cancel().catch(() => {});
	stop.abort();
}
