import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type PlacedPurchase, placePurchase } from "../../../../test/purchases/place-purchase.ts";
import { grantRefund } from "../../../../test/refunds.ts";
import { createTestShop, type TestShop } from "../../../../test/shop.ts";
import { scaledTimeout } from "../../../../test/time-limits.ts";
import { createTrackingUrl } from "../../../emails/tracking-urls.server.ts";
import type { TrackingAccess } from "../../../orders/access.ts";
import type { Order } from "../../../orders/order.ts";
import { listOrdersOfPurchase } from "../../../orders/orders.store.server.ts";
import { createTrackingCookies } from "../tracking-access.server.ts";

// The page of a purchase of several orders: who may see what, and the ways between it and the pages of its orders.

let shop: TestShop;
let bought: PlacedPurchase;
beforeAll(async () => {
	shop = await createTestShop();
	bought = await placePurchase(shop, [
		{ service: "express", reference: "dossier 2026-114" },
		{ siren: "542107651", companyName: "ENGIE" },
		{ siren: "780129987", companyName: "RENAULT", service: "postal" },
	]);
	await shop.payByCard(bought.payUrl);
	for (const { id } of bought.orders) await shop.untilOrderIs("completed", id);
	await shop.getMails(toPlaced(bought.orders[0]), "document-ready");
	const [first, ...others] = await listOrdersOfPurchase(shop.shop.db, bought.orders[0].id);
	if (first) bought.orders = [first, ...others];
});
afterAll(() => shop?.close());

const toPlaced = ({ id, order_number }: Order) => ({ id, number: order_number, sessionId: "", payUrl: "" });

/** The text of a page's content on one line, with ordinary spaces. */
const readMain = (html: string) =>
	(/<main.*<\/main>/s.exec(html)?.[0] ?? "")
		.replace(/<(script|style)\b.*?<\/\1>/gs, " ")
		.replace(/<!-- -->/g, "")
		.replace(/<[^>]+>/g, " ")
		.replace(/[\s\u00a0\u202f]+/g, " ");

/** A request with the cookies of a browser. */
const open = async (path: string, cookie = "") => {
	const response = await shop.ask(path, { headers: { cookie } });
	const html = await response.text();
	return { status: response.status, location: response.headers.get("location"), html, text: readMain(html), headers: response.headers };
};

const getCookies = (headers: Headers) =>
	headers
		.getSetCookie()
		.map((cookie) => cookie.split(";")[0])
		.join("; ");

/** The cookie of a browser with this access to an order. */
const cookieFor = (order: Order, access: TrackingAccess) => getCookies(createTrackingCookies(shop.shop, order, access));

const pageOf = ({ order_number }: Order) => `/suivi/${order_number}/ensemble`;

test("the link that resumes the payment names what is bought and the price of all of it", async () => {
	const unpaid = await placePurchase(shop, [{ service: "express" }, { siren: "542107651", companyName: "ENGIE", service: "standard" }]);
	const { text } = await open(await shop.getResumePath(unpaid.payUrl));
	for (const part of [`Commande groupée ${unpaid.orders[0].order_number}`, "KBIS Express 1 extrait", "KBIS Standard 1 extrait", "98,00 €"])
		expect(text).toContain(part);
});

describe("the page", () => {
	test("shows each line with its state and document, the archive and the invoice", async () => {
		const [first] = bought.orders;
		const { text, html } = await open(pageOf(first), cookieFor(first, "purchase"));
		for (const part of ["Votre commande de 3 extraits", "3 sur 3 prêts ou postés.", "DANONE", "dossier 2026-114", "ENGIE", "KBIS Postal"])
			expect(text).toContain(part);
		expect(text).toMatch(/Total TTC : \d+,00 €/);
		for (const { order_number } of bought.orders) expect(text).toContain(order_number);
		expect(text).toContain("Tout télécharger");
		expect(text).toMatch(/Posté [^.]+\. Destination : Ada Lovelace, [^.]+\. Arrivée prévue entre le [^.]+\. Numéro de suivi : \w+/);
		// the time would tell the territory of the address
		const { text: shown } = await open(pageOf(first), cookieFor(first, "purchase-link"));
		expect(shown).toContain("Numéro de suivi");
		for (const hidden of ["Arrivée prévue", "Destination"]) expect(shown).not.toContain(hidden);
		await vi.waitFor(
			async () =>
				expect((await open(pageOf(first), cookieFor(first, "purchase"))).text).toMatch(
					/Facture (F[\d-]+) du [^(]+ Télécharger la facture \1 .*Corriger la facture/,
				),
			{ timeout: scaledTimeout(10_000) },
		);
		// a letter has no download
		expect(html.match(/href="\/documents\/[^/"]+"/g)?.length).toBeGreaterThanOrEqual(2);
		expect(text).not.toContain("Télécharger l’extrait de RENAULT");
	});

	test("announces its first result and its end only, and shows the count without announcing it", async () => {
		const placed = await placePurchase(shop, [{}, {}, {}]);
		await shop.payByCard(placed.payUrl);
		for (const { id } of placed.orders) await shop.untilOrderIs("completed", id);
		const [first, second, third] = placed.orders;
		const readAnnounced = async () => {
			const { html } = await open(pageOf(first), cookieFor(first, "purchase"));
			return [...html.matchAll(/aria-live="polite"[^>]*>([^<]*)/g)].map(([, text]) => text);
		};
		const setStatus = (order: Order | undefined, status: Order["status"], failure_reason: Order["failure_reason"] = null) =>
			shop.shop.db
				.updateTable("orders")
				.set({ status, failure_reason })
				.where("id", "=", order?.id ?? "")
				.execute();
		for (const order of placed.orders) await setStatus(order, "processing");
		expect(await readAnnounced()).toEqual([""]);
		const heard: unknown[] = [];
		for (const order of [first, second, third]) {
			await setStatus(order, "completed");
			heard.push(await readAnnounced());
		}
		expect(heard).toEqual([["Un premier extrait est traité."], ["Un premier extrait est traité."], ["Tous les extraits sont traités."]]);
		// what the customer cancelled was not served
		for (const order of [first, second]) await setStatus(order, "failed", "cancelled");
		expect(await readAnnounced()).toEqual(["Tous les extraits sont traités."]);
		await setStatus(third, "processing");
		expect(await readAnnounced()).toEqual([""]);
		await setStatus(third, "failed", "cancelled");
		expect(await readAnnounced()).toEqual([""]);
		await setStatus(third, "failed", "not-found");
		expect(await readAnnounced()).toEqual(["Tous les extraits sont traités."]);
	});

	test("reads two hundred lines with as many queries as three", async () => {
		const many = await placePurchase(
			shop,
			Array.from({ length: 200 }, () => ({})),
			{ email: "grace@example.fr" },
		);
		/** The fewest of three times: jobs of the same process ask too. */
		const countQueries = async (order: Order) => {
			const counts: number[] = [];
			let html = "";
			while (counts.length < 3) {
				const spy = vi.spyOn(shop.shop.db.getExecutor(), "executeQuery");
				({ html } = await open(pageOf(order), cookieFor(order, "purchase")));
				counts.push(spy.mock.calls.length);
				spy.mockRestore();
			}
			return { count: Math.min(...counts), html };
		};
		const [few, all] = [await countQueries(bought.orders[0]), await countQueries(many.orders[0])];
		expect(all.html).toContain('/ensemble/ligne/200"');
		expect(all.count).toBeLessThanOrEqual(few.count + 3); // its payment is still open
		expect(few.count).toBeGreaterThan(2);
	});

	test("without access asks for e-mail and number, and an unknown number too", async () => {
		for (const path of [pageOf(bought.orders[0]), "/suivi/KB-2222-2222/ensemble"]) {
			const { status, text } = await open(path);
			expect(status).toBe(200);
			expect(text).toContain("Rechercher la commande");
			expect(text).not.toContain("DANONE");
		}
	});

	test("is of the first order only, and an order that was bought alone has none", async () => {
		const [, second] = bought.orders;
		expect((await open(pageOf(second as Order), cookieFor(second as Order, "line"))).text).toContain("Rechercher la commande");
		const alone = await shop.placeOrder();
		const order = (await shop.orderRow(alone.id)) as unknown as Order;
		expect(await open(pageOf(order), cookieFor(order, "purchase"))).toMatchObject({ status: 303, location: `/suivi/${alone.number}` });
	});

	test("lists the credit note of each refund with its company, and says what was refunded of the total", async () => {
		const placed = await placePurchase(shop, [{}, { siren: "542107651", companyName: "ENGIE" }, { companyName: "RENAULT" }]);
		await shop.payByCard(placed.payUrl);
		for (const { id } of placed.orders) await shop.untilOrderIs("completed", id);
		const [first, ...refunded] = placed.orders;
		const read = async (access: TrackingAccess) => (await open(pageOf(first), cookieFor(first, access))).text;
		await vi.waitFor(async () => expect(await read("purchase")).toContain("Télécharger la facture"), {
			timeout: scaledTimeout(10_000),
		});
		expect(await read("purchase")).toMatch(/Total TTC : 117,00 € /);
		const notes = [
			"Avoir de votre remboursement Avoir (A[\\d-]+) du \\d+\\S* \\S+ \\d{4} ENGIE Télécharger l’avoir \\1",
			"Avoirs de vos 2 remboursements",
		];
		for (const [index, { id }] of refunded.entries()) {
			expect(await grantRefund(shop.shop, id)).toMatchObject({ ok: true });
			await vi.waitFor(async () => expect(await read("purchase")).toMatch(new RegExp(notes[index] ?? "")), {
				timeout: scaledTimeout(10_000),
			});
			expect(await read("purchase")).toContain(`Total TTC : 117,00 €, dont ${39 * (index + 1)},00 € remboursés`);
		}
		for (const hidden of ["Avoir", "remboursés"]) expect(await read("purchase-link")).not.toContain(hidden);
		await shop.shop.db.updateTable("orders").set({ disputed_at: new Date() }).where("purchase_id", "=", first.id).execute();
		expect(await read("purchase")).not.toContain("Avoir");
	});

	test("of a disputed payment offers no document", async () => {
		const disputed = await placePurchase(shop, [{}, {}]);
		await shop.payByCard(disputed.payUrl);
		for (const { id } of disputed.orders) await shop.untilOrderIs("completed", id);
		const [first] = disputed.orders;
		await shop.shop.db.updateTable("orders").set({ disputed_at: new Date() }).where("purchase_id", "=", first.id).execute();
		const { html, text } = await open(pageOf(first), cookieFor(first, "purchase"));
		expect(text).toContain("contesté auprès de la banque");
		expect(html).not.toContain('href="/documents/');
	});
});

describe("access", () => {
	test("the browser that ordered goes from the confirmation to the page, with everything", async () => {
		const [first] = bought.orders;
		const answer = await open(`/confirmation/${bought.sessionId}`, bought.cookie);
		expect(answer).toMatchObject({ status: 303, location: pageOf(first) });
		expect((await open(pageOf(first), getCookies(answer.headers))).text).toContain("Tout télécharger");
	});

	test("another browser with that URL sees the lines without references, invoice and the links to orders", async () => {
		const { text, html } = await open(`/confirmation/${bought.sessionId}`);
		expect(text).toContain("DANONE");
		expect(text).toContain("Télécharger");
		for (const hidden of ["dossier 2026-114", "Télécharger la facture", "Total TTC", "Quitter"]) expect(text).not.toContain(hidden);
		expect(html).not.toContain("/ensemble/ligne/");
		await shop.shop.db
			.updateTable("orders")
			.set({ paid_at: new Date(Date.now() - 25 * 3_600_000) })
			.where("id", "=", bought.orders[0].id)
			.execute();
		expect((await open(`/confirmation/${bought.sessionId}`)).text).not.toContain("DANONE");
		await shop.shop.db.updateTable("orders").set({ paid_at: new Date() }).where("id", "=", bought.orders[0].id).execute();
	});

	test("the link of an e-mail about the purchase opens it for reading", async () => {
		const [first] = bought.orders;
		const [mail] = await shop.getMails(toPlaced(first), "document-ready");
		const path = /\/suivi\/[\w-]+\/ensemble\/acces\/[\w.-]+/.exec(mail?.text ?? "")?.[0] ?? expect.fail("the e-mail has no link");
		const answer = await open(path);
		expect(answer).toMatchObject({ status: 303, location: pageOf(first) });
		const { text } = await open(pageOf(first), getCookies(answer.headers));
		expect(text).toContain("Tout télécharger");
		expect(text).not.toContain("Télécharger la facture");
		expect(await open(`${path}x`)).toMatchObject({ status: 410 });
	});

	test("the link of an e-mail takes nothing from a browser that sees more", async () => {
		const [first] = bought.orders;
		const link = new URL(createTrackingUrl(shop.shop, first, 2)).pathname;
		const { status, location, headers } = await open(link, cookieFor(first, "purchase"));
		expect([status, location, headers.getSetCookie()]).toEqual([303, pageOf(first), []]);
		expect((await open(link)).headers.getSetCookie()).not.toEqual([]);
	});

	test("the link of an e-mail about one order opens that order alone, also of the first", async () => {
		for (const order of bought.orders) {
			const answer = await open(new URL(createTrackingUrl(shop.shop, order)).pathname);
			expect(answer.status).toBe(303);
			expect((await open(pageOf(bought.orders[0]), getCookies(answer.headers))).text).not.toContain("ENGIE");
			const page = `/suivi/${order.order_number}`;
			const { text } = await open(page, getCookies(answer.headers));
			for (const hidden of ["groupée", "ligne", "dossier 2026-114"]) expect(text).not.toContain(hidden);
			const whole = await open(`${page}/commande-groupee`, getCookies(answer.headers));
			expect([whole.location, whole.headers.getSetCookie()]).toEqual([`${page}/ensemble`, []]);
		}
	});

	test("the number and the address, which that e-mail has too, open the order alone unless it is the first", async () => {
		const [first, second] = bought.orders;
		const number = second?.order_number ?? "";
		const page = `/suivi/${number}`;
		const found = await shop.postForm("/suivi-commande", { email: "ada@example.fr", orderId: number });
		expect(found.headers.get("location")).toBe(page);
		const cookie = getCookies(found.headers);
		const { text, html } = await open(page, cookie);
		expect(text).toContain("ligne d’une commande groupée. Pour la voir entière");
		for (const hidden of [first.order_number, "sur 3", "Télécharger la facture"]) expect(text).not.toContain(hidden);
		for (const way of ["/suivi-commande", "/mes-commandes"]) expect(html).toContain(`href="${way}"`);
		const whole = await open(`${page}/commande-groupee`, cookie);
		expect([whole.location, whole.headers.getSetCookie()]).toEqual([`${page}/ensemble`, []]);
		const refused = await open(`${page}/ensemble`, cookie);
		expect([refused.status, refused.text.includes("Vous avez ouvert un seul extrait d’une commande groupée.")]).toEqual([403, true]);
		expect((await open(pageOf(first), cookie)).text).not.toContain("ENGIE");
		const documents = async (orderId: string) => {
			const body = JSON.stringify({ email: "ada@example.fr", orderId });
			const answer = await shop.ask("/api/suivi", { method: "POST", body, headers: { "content-type": "application/json" } });
			return ((await answer.json()) as { documents: { doc_type: string }[] }).documents.map(({ doc_type }) => doc_type).sort();
		};
		expect([await documents(first.order_number), await documents(number)]).toEqual([["invoice", "kbis"], ["kbis"]]);
	});

	test("the link of its e-mail asks for the address where the invoice would be, and comes back to it", async () => {
		const [first] = bought.orders;
		const { html } = await open(pageOf(first), cookieFor(first, "purchase-link"));
		expect(html.indexOf("confirmez votre adresse e-mail")).toBeLessThan(html.indexOf("Les extraits de votre commande"));
		const found = await confirm(html);
		expect(found.headers.get("location")).toBe(`${pageOf(first)}#documents`);
		const opened = await open(pageOf(first), getCookies(found.headers));
		expect(opened.text).toContain("Télécharger la facture");
		expect(opened.html).toContain('id="documents"');
	});

	/** Sends the form that asks for the address on a page. */
	const confirm = (html: string, email = "ada@example.fr") => {
		const [form = ""] = /<form[^>]*action="\/suivi-commande".*?<\/form>/s.exec(html) ?? [];
		const fields = [...form.matchAll(/(?:type="hidden" )?name="(\w+)"(?: \w+="[^"]*")*? value="([^"]*)"/g)].map(([, name, value]) => [
			name,
			value,
		]);
		return shop.postForm("/suivi-commande", { ...Object.fromEntries(fields), email });
	};

	test("on the page of a line, the form comes back to that line where the extract is shared, also after a wrong address", async () => {
		const [first, second] = bought.orders;
		if (second === undefined) throw new Error("the purchase has one order");
		const page = `/suivi/${second.order_number}`;
		const { html } = await open(page, cookieFor(second, "purchase-link"));
		const refused = await confirm(html, "grace@example.fr");
		expect(refused.status).toBe(404);
		for (const found of [await confirm(html), await confirm(await refused.text())]) {
			expect([found.status, found.headers.get("location")]).toEqual([303, `${page}#partage`]);
			const cookies = getCookies(found.headers);
			expect((await open(page, cookies)).html).toContain('id="partage"');
			expect((await open(pageOf(first), cookies)).text).toContain("Télécharger la facture");
		}
	});

	test.each([
		["ensemble", (first: string) => `/suivi/${first}/ensemble`],
		["ligne/3#remboursement", (_: string, third: string) => `/suivi/${third}#remboursement`],
		["ligne/1#partage", (first: string) => `/suivi/${first}#partage`],
		["ligne/4", (first: string) => `/suivi/${first}`],
		["ligne/x#https://evil.example", (first: string) => `/suivi/${first}`],
		["//evil.example", (first: string) => `/suivi/${first}`],
	])("the field of that form leads to a page of the purchase and nowhere else: %s", async (vers, leadsTo) => {
		const [first, second, third] = bought.orders.map(({ order_number }) => order_number);
		const send = (orderId = "") => shop.postForm("/suivi-commande", { orderId, email: "ada@example.fr", vers });
		expect((await send(first)).headers.get("location")).toBe(leadsTo(first ?? "", third ?? ""));
		// the pair of a later order opens no other
		if (vers.startsWith("ligne/3")) expect((await send(second)).headers.get("location")).toBe(`/suivi/${second}#remboursement`);
	});

	test("each delivered file is shared from its row, by who may share it", async () => {
		const [first] = bought.orders;
		const readShared = async (access: TrackingAccess) =>
			[...(await open(pageOf(first), cookieFor(first, access))).html.matchAll(/ligne\/(\d)#partage"/g)].map(([, line]) => line);
		// a letter has no file
		expect([await readShared("purchase"), await readShared("purchase-link")]).toEqual([["1", "2"], []]);
	});

	test("the page says what can still be asked: nothing of a delivered order is cancelled", async () => {
		const offered = async (access: TrackingAccess, order: Order) => (await open(pageOf(order), cookieFor(order, access))).text;
		const [first] = bought.orders;
		expect(await offered("purchase", first)).toContain("la page de cet extrait permet de signaler une erreur ou de lire l’historique.");
		expect(await offered("purchase-link", first)).toContain("Pour voir la facture ou partager, confirmez votre adresse e-mail.");
		const waiting = await placePurchase(shop, [{}, {}]);
		const [open_] = waiting.orders;
		const paid = { status: "processing", paid_at: new Date() } as const;
		await shop.shop.db.updateTable("orders").set(paid).where("purchase_id", "=", open_.id).execute();
		expect(await offered("purchase", open_)).toContain("la page de cet extrait permet d’annuler la commande ou de lire l’historique.");
		expect(await offered("purchase-link", open_)).toContain("Pour voir la facture ou annuler, confirmez votre adresse e-mail.");
	});

	test("each line opens its order with the access of the page, and the order leads back", async () => {
		const [first, second] = bought.orders;
		if (second === undefined) throw new Error("the purchase has one order");
		for (const [access, asks] of [
			["purchase", false],
			["purchase-link", true],
		] as const) {
			const opened = await open(`${pageOf(first)}/ligne/2`, cookieFor(first, access));
			expect(opened).toMatchObject({ status: 303, location: `/suivi/${second.order_number}` });
			const { text } = await open(`/suivi/${second.order_number}`, getCookies(opened.headers));
			expect(text).toContain(`ligne 2 sur 3 de la commande groupée ${first.order_number}`);
			expect(text.includes("confirmez votre adresse e-mail.")).toBe(asks);
		}
		// and back, with the same access: the invoice is for the customer
		for (const [access, isCustomer] of [
			["purchase", true],
			["purchase-link", false],
		] as const) {
			const back = await open(`/suivi/${second.order_number}/commande-groupee`, cookieFor(second, access));
			expect(back).toMatchObject({ status: 303, location: pageOf(first) });
			const { text } = await open(pageOf(first), getCookies(back.headers));
			expect([text.includes("Tout télécharger"), text.includes("Télécharger la facture")]).toEqual([true, isCustomer]);
		}
		for (const cookie of ["", cookieFor(first, "link")])
			expect((await open(`${pageOf(first)}/ligne/2`, cookie)).headers.getSetCookie()).toEqual([]);
		// what sets no cookie is not stored on the way either
		const page = `/suivi/${first.order_number}`;
		for (const [path, cookie, leadsTo] of [
			[`${pageOf(first)}/ligne/1`, cookieFor(first, "purchase"), page],
			[`${pageOf(first)}/ligne/9`, cookieFor(first, "purchase"), page],
			[`${pageOf(first)}/ligne/2`, "", pageOf(first)],
			[`${page}/commande-groupee`, cookieFor(first, "purchase"), pageOf(first)],
			[`/suivi/${second.order_number}/commande-groupee`, "", pageOf(second)],
			[new URL(createTrackingUrl(shop.shop, first)).pathname, cookieFor(first, "purchase"), page],
			[new URL(createTrackingUrl(shop.shop, first, 2)).pathname, cookieFor(first, "purchase"), pageOf(first)],
		] as const) {
			const { status, location, headers } = await open(path, cookie);
			expect([status, location, headers.get("cache-control"), headers.get("x-robots-tag")]).toEqual([303, leadsTo, "no-store", "noindex"]);
		}
	});

	test("the form with the first order's number opens the whole, and that of an order that was bought alone its page", async () => {
		const [first] = bought.orders;
		const found = await shop.postForm("/suivi-commande", { email: "ada@example.fr", orderId: first.order_number });
		expect([found.status, found.headers.get("location")]).toEqual([303, pageOf(first)]);
		const cookie = getCookies(found.headers);
		expect((await open(pageOf(first), cookie)).text).toContain("Tout télécharger");
		// its own page stays open too
		expect((await open(`/suivi/${first.order_number}`, cookie)).html).toContain(`/suivi/${first.order_number}/commande-groupee`);
		const alone = await placePurchase(shop, [{}]);
		const { order_number } = alone.orders[0];
		const single = await shop.postForm("/suivi-commande", { email: "ada@example.fr", orderId: order_number });
		expect(single.headers.get("location")).toBe(`/suivi/${order_number}`);
	});
});

describe("a purchase of many orders", () => {
	/** Companies « Lyon1 » to « Lyon9 »…: no word of an order number begins like them. */
	async function place(count: number, statuses: readonly Partial<Order>[] = []) {
		const { orders, ...placed } = await placePurchase(
			shop,
			Array.from({ length: count }, (_, index) => ({ companyName: `Lyon${index + 1}`, reference: `dossier Metz${index + 1}` })),
		);
		const { db } = shop.shop;
		await db.updateTable("orders").set({ status: "completed", paid_at: new Date() }).where("purchase_id", "=", orders[0].id).execute();
		for (const [index, values] of statuses.entries())
			await db
				.updateTable("orders")
				.set(values as object)
				.where("id", "=", orders[index]?.id ?? "")
				.execute();
		return { ...placed, first: orders[0] };
	}

	/** The folds of the lines: whether each is open, its title and its companies. */
	const listFolds = (html: string) =>
		[...(/<section id="extraits".*?<\/section>/s.exec(html)?.[0] ?? "").matchAll(/<details( open="")?.*?<\/details>/gs)].map(
			([fold, open]) => [open !== undefined, readTitle(fold), listCompanies(fold)],
		);
	const readTitle = (fold: string) => (/<summary[^>]*>([^<]*)/.exec(fold)?.[1] ?? "").replaceAll("\u00a0", " ");
	const listCompanies = (html: string) => [...html.matchAll(/\/ligne\/\d+"[^>]*>(Lyon\d+)</g)].map(([, company]) => company);
	const several = (count: number, values: Partial<Order>) => Array.from({ length: count }, () => values);
	const named = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `Lyon${from + index}`);
	const late = { status: "processing", late_at: new Date() } as const;

	test("has no fold up to twenty lines", async () => {
		const { first } = await place(20);
		const { html } = await open(pageOf(first), cookieFor(first, "purchase"));
		expect([listFolds(html), listCompanies(html), html.includes('value="find"')]).toEqual([[], named(1, 20), false]);
	});

	test("folds its lines by state, each once, and leaves open what needs attention", async () => {
		const { first } = await place(26, [
			...several(2, { status: "completed" }),
			...several(1, { status: "failed", failure_reason: "cancelled" }),
			...several(2, { status: "failed", failure_reason: "not-found" }),
			...several(3, { status: "processing" }),
			...several(1, { status: "paid" }),
			...several(1, late),
		]);
		const { html, text } = await open(pageOf(first), cookieFor(first, "purchase"));
		expect(listFolds(html)).toEqual([
			[true, "2 extraits n’ont pas abouti", named(4, 5)],
			[true, "1 extrait en retard", named(10, 10)],
			[false, "4 extraits en cours", named(6, 9)],
			[false, "18 extraits prêts", [...named(1, 2), ...named(11, 26)]],
			[false, "1 extrait annulé", named(3, 3)],
		]);
		expect(text).toContain("En traitement dossier Metz10 · En retard : vous le recevrez dès que nous l’aurons.");
		// who has the URL of the confirmation has the folds, without the search
		const shared = await open(`/confirmation/${(await place(21)).sessionId}`);
		expect([listFolds(shared.html).length, shared.html.includes('value="find"')]).toEqual([1, false]);
	});

	test.each([
		[20, true],
		[21, false],
	])("leaves %s late lines open: %s", async (count, isOpen) => {
		const { first } = await place(22, several(count, late));
		const [fold] = listFolds((await open(pageOf(first), cookieFor(first, "purchase"))).html);
		expect(fold).toEqual([isOpen, `${count} extraits en retard`, named(1, count)]);
	});

	test("before its payment has one fold", async () => {
		const { first } = await place(21, several(21, { status: "pending", paid_at: null }));
		expect(listFolds((await open(pageOf(first), cookieFor(first, "purchase"))).html)).toEqual([
			[false, "21 extraits non payés", named(1, 21)],
		]);
	});

	test("finds its lines by name, number and reference, and no URL holds what was typed", async () => {
		const { first } = await place(21);
		const page = pageOf(first);
		const cookie = cookieFor(first, "purchase-link");
		const find = async (q: string) => {
			const answer = await shop.postForm(page, { intent: "find", q }, { cookie });
			const html = await answer.text();
			const [, found = ""] = /role="status"[^>]*>(.*?)<details/s.exec(html) ?? [];
			return { answer, html, companies: listCompanies(found), text: readMain(html) };
		};
		for (const [typed, companies] of [
			["lyon7", ["Lyon7"]],
			["DOSSIER mETZ12", ["Lyon12"]],
			["dossier Metz2", ["Lyon2", "Lyon20", "Lyon21"]],
			[first.order_number, ["Lyon1"]],
			["552 032 534", named(1, 21)],
		] as const) {
			const found = await find(typed);
			expect([found.answer.status, found.companies]).toEqual([200, companies]);
			expect(found.text).toContain(
				`${companies.length} ${companies.length > 1 ? "extraits correspondent" : "extrait correspond"} à votre recherche, sur 21 :`,
			);
			expect(found.html).toContain(`value="${typed}"`);
			expect(found.html).not.toMatch(/href="[^"]*[?&]q=/);
		}
		expect((await find("lyon7 metz8")).text).toContain("Aucun extrait ne correspond.");
		const { answer } = await find(" ");
		expect([answer.status, answer.headers.get("location")]).toEqual([303, page]);
	});
});

test("the payment is resumed with the key of the purchase, also from a line, and leads to the whole", async () => {
	const { orders } = await placePurchase(shop, [{}, { siren: "542107651", companyName: "ENGIE" }]);
	const [first, second] = orders;
	if (second === undefined) throw new Error("the purchase has one order");
	for (const [order, access] of [
		[first, "purchase"],
		[second, "purchase"],
	] as const) {
		const resumed = await shop.postForm(`/suivi/${order.order_number}`, { intent: "resume" }, { cookie: cookieFor(order, access) });
		expect([resumed.status, resumed.headers.get("location")]).toEqual([303, expect.stringContaining("/bac-a-sable/")]);
		const page = `/confirmation/${resumed.headers.get("location")?.split("/").at(-1)}`;
		expect((await open(page, getCookies(resumed.headers))).location).toBe(pageOf(first));
	}
	for (const [order, access] of [
		[first, "link"],
		[second, "line"],
	] as const) {
		const page = `/suivi/${order.order_number}`;
		expect((await open(page, cookieFor(order, access))).html).not.toContain('value="resume"');
		const resumed = await shop.postForm(page, { intent: "resume" }, { cookie: cookieFor(order, access) });
		expect([resumed.status, resumed.headers.getSetCookie()]).toEqual([403, []]);
	}
});

test("the page of a purchase names the address of its e-mails, asks about a mistyped one, and corrects it for all lines", async () => {
	const { orders } = await placePurchase(shop, [{}, { service: "postal" }], { email: "ada@gmial.com", deliveryEmail: "banque@example.fr" });
	const [first, second] = orders;
	const [paid_at, page] = [new Date(), pageOf(first)];
	await shop.shop.db.updateTable("orders").set({ status: "processing", paid_at }).where("purchase_id", "=", first.id).execute();
	const shown = await open(page, cookieFor(first, "purchase"));
	// the form of its letter is on the page of the letter, folded: the field opens it
	const toLetter = `href="${page}/ligne/2#deliveryName"`;
	expect([shown.html.includes(toLetter), shown.text.includes("Corriger l’adresse de livraison")]).toEqual([true, true]);
	for (const part of [
		"Nous écrirons à ada@gmial.com quand",
		"Les PDF sont aussi envoyés à banque@example.fr",
		"Vouliez-vous dire ada@gmail.com ?",
		"Corriger",
	])
		expect(shown.text).toContain(part);
	const linked = await open(page, cookieFor(first, "purchase-link"));
	expect(linked.text).toContain("Nous écrirons à a…@gmial.com quand");
	expect(linked.text).not.toContain("Corriger");
	// a line that has ended leaves the purchase open
	await shop.shop.db.updateTable("orders").set({ status: "completed" }).where("id", "=", first.id).execute();
	const fields = { intent: "correct-addresses", email: "ada", recipient: "banque@example.fr" };
	const refused = await shop.postForm(page, fields, { cookie: cookieFor(first, "purchase") });
	expect(refused.status).toBe(400);
	expect(readMain(await refused.text())).toContain("Format d&#x27;email invalide");
	const corrected = await shop.postForm(page, { ...fields, email: "ada@gmail.com" }, { cookie: cookieFor(first, "purchase") });
	expect([corrected.status, corrected.headers.get("location")]).toEqual([303, `${page}?corrige=email`]);
	const answered = await open(`${page}?corrige=email`, getCookies(corrected.headers));
	expect(answered.text).toContain("Adresse corrigée. La confirmation vient de partir à ada@gmail.com.");
	expect(answered.text).toContain("Nous écrirons à ada@gmail.com");
	expect(answered.text).not.toContain("Vouliez-vous dire");
	expect(
		(
			await shop.shop.db
				.selectFrom("orders")
				.select("customer_email")
				.where("id", "=", second?.id ?? "")
				.executeTakeFirst()
		)?.customer_email,
	).toBe("ada@gmail.com");
});

test("the page of a delivered purchase sends its extracts to another address, with the key of the purchase alone", async () => {
	const { orders, payUrl } = await placePurchase(shop, [{}, { siren: "542107651", companyName: "ENGIE" }], { email: "ada@gmial.com" });
	await shop.payByCard(payUrl);
	for (const { id } of orders) await shop.untilOrderIs("completed", id);
	const [first] = orders;
	const page = pageOf(first);
	const { text } = await open(page, cookieFor(first, "purchase"));
	for (const part of [
		"Vouliez-vous dire ada@gmail.com ?",
		"Renvoyer à une autre adresse e-mail",
		"tous les extraits encore téléchargeables de votre commande groupée",
	])
		expect(text).toContain(part);
	const fields = { intent: "correct-addresses", email: "ada@gmial.com", recipient: "ada@gmail.com" };
	expect((await open(page, cookieFor(first, "purchase-link"))).text).not.toContain("Renvoyer à une autre");
	// as what is done, what is offered is of the purchase: also on the page of a letter, or of a deleted extract
	const { db } = shop.shop;
	const last = orders.at(-1) ?? first;
	for (const isDeleted of [false, true]) {
		if (isDeleted) await db.updateTable("documents").set({ purged_at: new Date() }).where("order_id", "=", last.id).execute();
		await db
			.updateTable("orders")
			.set({ product_code: isDeleted ? "standard" : "postal" })
			.where("id", "=", last.id)
			.execute();
		const { location, headers } = await open(`${page}/ligne/2`, cookieFor(first, "purchase"));
		expect((await open(location ?? "", getCookies(headers))).text).toContain("Renvoyer à une autre adresse e-mail");
	}
	expect((await shop.postForm(page, fields, { cookie: cookieFor(first, "purchase-link") })).status).toBe(403);
	const wrong = await shop.postForm(page, { ...fields, recipient: "ada@" }, { cookie: cookieFor(first, "purchase") });
	expect([wrong.status, readMain(await wrong.text()).includes("Format d&#x27;email invalide")]).toEqual([400, true]);
	const sent = await shop.postForm(page, fields, { cookie: cookieFor(first, "purchase") });
	expect([sent.status, sent.headers.get("location")]).toEqual([303, `${page}?corrige=resent`]);
	const [mail] = await shop.getMails(toPlaced(first), "document-ready-delivery");
	expect(mail).toMatchObject({ to: "ada@gmail.com" });
	const answered = await open(`${page}?corrige=resent`, getCookies(sent.headers));
	expect(answered.text).toContain("Extraits renvoyés. Ils viennent de partir à ada@gmail.com.");
	expect(answered.text).toMatch(/Extraits renvoyés à ada@gmail\.com le \S+ \d/);
	expect(answered.text).not.toContain("Vouliez-vous dire");
	for (const reader of ["purchase-link", "link"] as const)
		expect((await open(page, cookieFor(first, reader))).text).not.toContain("Extraits renvoyés à");
});

test("addresses are corrected with the key of the purchase alone, and the line still leads back to it", async () => {
	const { orders } = await placePurchase(shop, [{ service: "express" }, { siren: "542107651", companyName: "ENGIE", service: "express" }]);
	const [first, second] = orders;
	if (second === undefined) throw new Error("the purchase has one order");
	const ids = orders.map(({ id }) => id);
	const paid = { status: "processing", paid_at: new Date() } as const;
	await shop.shop.db.updateTable("orders").set(paid).where("id", "in", ids).execute();
	const page = `/suivi/${second.order_number}`;
	const fields = { intent: "correct-addresses", email: "ada.whole@example.fr", recipient: "" };
	const refused = await shop.postForm(page, fields, { cookie: cookieFor(second, "line") });
	expect([refused.status, refused.headers.getSetCookie()]).toEqual([403, []]);
	const addresses = async () => (await listOrdersOfPurchase(shop.shop.db, first.id)).map(({ customer_email }) => customer_email);
	expect(await addresses()).toEqual(["ada@example.fr", "ada@example.fr"]);
	const corrected = await shop.postForm(page, fields, { cookie: cookieFor(second, "purchase") });
	expect([corrected.status, corrected.headers.get("location")]).toEqual([303, `${page}?corrige=email`]);
	expect(await addresses()).toEqual(["ada.whole@example.fr", "ada.whole@example.fr"]);
	expect((await open(page, getCookies(corrected.headers))).html).toContain(`${page}/commande-groupee`);
});

test("one stream for the page sends a change when any order of it changes, to those who may see it", async () => {
	const [first, , third] = bought.orders;
	const path = `${pageOf(first)}/direct`;
	expect((await open(path)).status).toBe(403);
	expect((await open(path, cookieFor(first, "link"))).status).toBe(403);
	const controller = new AbortController();
	const response = await shop.ask(path, { headers: { cookie: cookieFor(first, "purchase-link") }, signal: controller.signal });
	const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
	expect((await reader?.read())?.value).toContain("event: change");
	await shop.shop.db
		.insertInto("order_events")
		.values({ order_id: third?.id ?? "", event_type: "late", created_at: new Date() })
		.execute();
	const { changesChannel } = await import("../../../../server/database/changes.ts");
	const { sql } = await import("kysely");
	await sql`select pg_notify(${changesChannel}, ${third?.id ?? ""})`.execute(shop.shop.db);
	expect((await reader?.read())?.value).toBe("event: change\ndata:\n\n");
	controller.abort();
});
