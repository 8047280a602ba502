import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { knownCompanies } from "../../../test/known-companies.ts";
import { placePurchase } from "../../../test/purchases/place-purchase.ts";
import { createServing } from "../../../test/serving.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import type { Siren } from "../../companies/siren.ts";
import { changeCompany } from "../../fulfilment/company-change/change-company.server.ts";
import { checkRequest, recordRequest } from "../../fulfilment/record-request.server.ts";
import { findOrder } from "../../orders/orders.store.server.ts";
import { createTrackingCookies } from "./tracking-access.server.ts";

// R204: what a customer reads of the request for their extract, wherever they look.

/** A Friday at 1:02 in Paris, and the hour at which the shop opens. */
const [night, morning] = [new Date("2026-11-27T00:02:00Z"), new Date("2026-11-27T07:00:00Z")];
let now = night;
let shop: TestShop;
let serving: Awaited<ReturnType<typeof createServing>>;
beforeAll(async () => {
	shop = await createTestShop({ variables: { ISSUER: "manual" }, now: () => now });
	serving = await createServing(shop);
});
beforeEach(() => {
	now = night;
});
afterAll(() => shop?.close());

/** A text without tags, on one line with ordinary spaces. */
const readText = (text: string) =>
	text
		.replace(/<!-- -->/g, "")
		.replace(/<(script|style)\b.*?<\/\1>/gs, " ")
		.replace(/<[^>]+>/g, " ")
		.replaceAll("&nbsp;", " ")
		.replace(/[\s\u00a0\u202f]+/g, " ");

/** A paid order of one service, or a purchase of three, with all that its customer may read. */
async function buy(services: readonly ("express" | "postal" | "standard")[]) {
	const { orders, payUrl, sessionId, cookie } = await placePurchase(
		shop,
		services.map((service) => ({ service })),
	);
	await shop.payByCard(payUrl);
	for (const { id } of orders) await shop.untilOrderIs("processing", id);
	const [first] = orders;
	const placed = { id: first.id, number: first.order_number, sessionId, payUrl };
	const read = async (path: string, headers: Record<string, string> = {}) => readText(await (await shop.ask(path, { headers })).text());
	/** As the customer's browser; its cookies are valid for an hour. */
	const open = (path: string) => {
		const cookies = createTrackingCookies(shop.shop, first, "purchase").getSetCookie();
		return read(path, { cookie: cookies.map((each) => each.split(";")[0]).join("; ") });
	};
	return {
		orders,
		placed,
		/** The confirmation, and the tracking page or the page of the purchase. */
		readPages: async () => [
			// that of several leads the customer's own browser to their page
			await read(`/confirmation/${sessionId}`, services.length > 1 ? {} : { cookie }),
			await open(`/suivi/${first.order_number}${services.length > 1 ? "/ensemble" : ""}`),
		],
		readHistory: () => open(`/suivi/${first.order_number}`),
		readApi: async () => {
			const answer = await shop.postJson("/api/suivi", { email: "ada@example.fr", orderId: first.order_number });
			return (await answer.json()) as { order: { extract_requested_at: string | null }; events: { event_type: string }[] };
		},
	};
}

const kinds = [
	["one extract by e-mail", ["express"], "l’extrait au greffe"],
	["a letter", ["postal"], "l’extrait au greffe"],
	["several extracts", ["standard", "postal", "express"], "les extraits aux greffes"],
] as const;

describe.each(kinds)("%s", (_what, services, extracts) => {
	const registered = `Commande enregistrée : nous allons demander ${extracts}.`;
	test("is registered from the payment on, with the opening while the shop is closed; the confirmation says it too", async () => {
		const bought = await buy(services);
		const [mail] = await shop.getMails(bought.placed, "confirmation");
		const texts = [...(await bought.readPages()), readText(mail?.text ?? "")];
		for (const text of texts) {
			expect(text).toContain(`Commande enregistrée : nous demanderons ${extracts} à partir de vendredi 27 novembre à 8 h, heure de Paris.`);
			expect(text).not.toMatch(/transmise/);
		}
		expect(await bought.readHistory()).toContain("Demande enregistrée");
		now = morning;
		for (const text of await bought.readPages()) expect(text).toContain(registered);
		expect(await bought.readApi()).toMatchObject({ order: { extract_requested_at: null } });
	});

	test("is transmitted once an operator says so, on every page, with its hour", async () => {
		const bought = await buy(services);
		now = morning;
		for (const { id } of bought.orders) expect(await serving.act("record-request", id)).toMatchObject({ state: "done" });
		for (const text of await bought.readPages()) {
			expect(text).toMatch(/Demandes? transmises? aux? greffes? : nous attendons/);
			expect(text).not.toContain(registered);
		}
		expect(await bought.readHistory()).toContain("Demande transmise au greffe vendredi 27 novembre 2026 à 8 h");
		const { order, events } = await bought.readApi();
		expect(order.extract_requested_at).toBe(morning.toISOString());
		expect(events.map(({ event_type }) => event_type)).toContain("extract_requested");
	});
});

test("of several extracts, the sentence is about those for which the registry was not asked yet", async () => {
	const bought = await buy(["standard", "standard", "standard"]);
	await serving.act("record-request", bought.orders[0].id);
	const [, page = ""] = await bought.readPages();
	expect(page).toContain("nous demanderons les extraits aux greffes à partir de");
	expect(page.match(/Demande transmise au greffe\./g)).toHaveLength(1);
	await serving.act("record-request", bought.orders[1]?.id ?? "");
	const [, later = ""] = await bought.readPages();
	expect(later).toContain("Commande enregistrée : nous demanderons l’extrait au greffe à partir de");
	expect(later.match(/Demande transmise au greffe\./g)).toHaveLength(2);
});

test("the steps are ticked when they are over: « En traitement » is the present one until the extract is there", async () => {
	const bought = await buy(["express"]);
	const read = async () => {
		const [, page = ""] = await bought.readPages();
		return page;
	};
	expect(await read()).toContain("Reçu (fait)");
	await serving.act("record-request", bought.orders[0].id);
	expect(await read()).not.toContain("En traitement (fait)");
	for (const badge of await bought.readPages()) expect(badge).toContain("En traitement");
});

describe("the operator", () => {
	test("has a button with a key while the registry was not asked, then reads when it was; others do not get the order", async () => {
		const { orders } = await buy(["express"]);
		const [{ id, order_number: number }] = orders;
		const before = await serving.readPage(number);
		expect(before).toContain('value="record-request"');
		expect(before).toContain('aria-keyshortcuts="t"');
		const sent = await serving.operator.post(`/bureau/commandes/${number}`, { act: "record-request", key: crypto.randomUUID(), order: id });
		expect(sent.status).toBeLessThan(400);
		const after = readText(await serving.readPage(number));
		expect(after).toContain("Demandé au greffe : 27/11/2026 à 1 h 02.");
		expect(after).toContain("Cette commande est à vous");
		expect(await serving.readPage(number)).not.toContain('value="record-request"');
	});

	test("says it once: the first hour stays", async () => {
		const { orders } = await buy(["express"]);
		const [{ id: orderId }] = orders;
		const answers = await Promise.all([1, 2, 3].map(() => recordRequest(shop.shop, { orderId, by: "Ada" })));
		expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
		now = morning;
		expect(await recordRequest(shop.shop, { orderId, by: "Ada" })).toEqual({ ok: false, code: "already-requested" });
		expect((await shop.orderRow(orderId)).extract_requested_at).toEqual(night);
		const events = await shop.shop.db.selectFrom("order_events").selectAll().where("order_id", "=", orderId).execute();
		expect(events.filter(({ event_type }) => event_type === "extract_requested")).toMatchObject([
			{ payload: { by: "Ada" }, created_at: night },
		]);
	});

	test("is refused for an order that awaits no extract", async () => {
		const change = async (columns: object) => {
			const { orders } = await buy(["express"]);
			const [{ id: orderId }] = orders;
			if (Object.keys(columns).length > 0) await shop.shop.db.updateTable("orders").set(columns).where("id", "=", orderId).execute();
			return orderId;
		};
		const refusal = async (orderId: string) => {
			const answer = await recordRequest(shop.shop, { orderId, by: "Ada" });
			return answer.ok ? "ok" : answer.code;
		};
		expect(await refusal(crypto.randomUUID())).toBe("unknown-order");
		expect(await refusal(await change({ status: "pending" }))).toBe("not-paid");
		expect(await refusal(await change({ status: "completed" }))).toBe("completed");
		expect(await refusal(await change({ status: "failed" }))).toBe("failed");
	});

	test.each([
		["uploaded_at", "has-extract"],
		["not_found_at", "reported-not-found"],
	] as const)("is refused once the extract is there or reported not found: %s", async (column, code) => {
		const { orders } = await buy(["express"]);
		const rollback = new Error("rollback");
		// jobs must not see it
		const changed = shop.shop.db.transaction().execute(async (trx) => {
			await trx
				.updateTable("extract_requests")
				.set({ [column]: night })
				.where("order_id", "=", orders[0].id)
				.execute();
			expect(await checkRequest(trx, (await findOrder(trx, orders[0].id)) ?? expect.fail())).toBe(code);
			throw rollback;
		});
		await expect(changed).rejects.toBe(rollback);
		expect(await checkRequest(shop.shop.db, await shop.orderRow(orders[0].id))).toBeNull();
	});

	test("who changes the company has to ask again", async () => {
		const { orders, placed } = await buy(["express"]);
		const [{ id: orderId, order_number: number }] = orders;
		// the invoice has its PDF
		await shop.getMails(placed, "confirmation");
		await serving.act("record-request", orderId);
		const { siren } = (await knownCompanies(shop.connection)).find((company) => company.siren !== "552032534") ?? expect.fail();
		expect(await changeCompany(shop.shop, { orderId, siren: siren as Siren, agreement: "par téléphone", operator: "Ada" })).toMatchObject({
			ok: true,
		});
		expect((await shop.orderRow(orderId)).extract_requested_at).toBeNull();
		expect(await serving.readPage(number)).toContain('value="record-request"');
	});
});
