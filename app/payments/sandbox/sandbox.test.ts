import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../../test/shop.ts";

let shop: TestShop;
let ahead = 0; // how far the shop's clock is ahead of ours
beforeAll(async () => {
	shop = await createTestShop({ now: () => new Date(Date.now() + ahead) });
});
afterEach(() => {
	ahead = 0;
});
afterAll(() => shop?.close());

const sandboxSession = (id: string) =>
	shop.shop.db.selectFrom("sandbox.sessions").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const countEvents = async (id: string, event: string) => (await shop.getEventTypes(id)).filter((type) => type === event).length;

describe("the test cards", () => {
	test("4242 4242 4242 4242 is accepted with any spacing, and leads to the confirmation", async () => {
		const placed = await shop.placeOrder();
		const answer = await shop.payByCard(placed.payUrl, " 4242424242424242 ");
		expect(answer.status).toBe(303);
		expect(answer.headers.get("location")).toBe(`${shop.url}/confirmation/${placed.sessionId}`);
		const order = await shop.untilOrderIs("completed", placed.id);
		expect(order.paid_at).not.toBeNull();
		expect(await countEvents(placed.id, "paid")).toBe(1);
	});

	test("4000 0000 0000 0002 is declined: the session stays open, and another card can pay it", async () => {
		const placed = await shop.placeOrder();
		const answer = await shop.payByCard(placed.payUrl, "4000 0000 0000 0002");
		expect(answer.status).toBe(402);
		expect(await answer.text()).toContain("Votre carte a été refusée. Aucun montant n’a été débité.");
		expect(await sandboxSession(placed.sessionId)).toMatchObject({ status: "open", payment_status: "unpaid" });
		expect(await shop.orderRow(placed.id)).toMatchObject({ status: "pending", paid_at: null });

		await shop.payByCard(placed.payUrl);
		await shop.untilOrderIs("completed", placed.id);
	});

	test("4000 0000 0000 3220 asks for a second step, and pays once it is confirmed", async () => {
		const placed = await shop.placeOrder();
		const response = await shop.payByCard(placed.payUrl, "4000 0000 0000 3220");
		expect(response.status).toBe(200);
		expect(await response.text()).toContain("Votre banque demande une confirmation.");
		expect(await sandboxSession(placed.sessionId)).toMatchObject({ status: "open" });

		expect((await shop.postForm(placed.payUrl, { intent: "confirm" })).status).toBe(303);
		await shop.untilOrderIs("completed", placed.id);
	});

	test("a refused second step pays nothing and leaves the session open", async () => {
		const placed = await shop.placeOrder();
		await shop.payByCard(placed.payUrl, "4000 0000 0000 3220");
		expect((await shop.postForm(placed.payUrl, { intent: "refuse" })).status).toBe(402);
		expect(await sandboxSession(placed.sessionId)).toMatchObject({ status: "open", payment_status: "unpaid" });
		expect(await shop.getEventTypes(placed.id)).toEqual(["created"]);
	});

	test.each(["", "1234", "4242 4242 4242 4241", "5555 5555 5555 4444", "carte"])("« %s » is no test card", async (card) => {
		const placed = await shop.placeOrder();
		const answer = await shop.payByCard(placed.payUrl, card);
		expect(answer.status).toBe(400);
		expect(await answer.text()).toContain("Ce numéro n’est pas celui d’une carte de test.");
		expect(await sandboxSession(placed.sessionId)).toMatchObject({ status: "open" });
	});

	test("a session paid twice, or ten times at once, has one payment", async () => {
		const placed = await shop.placeOrder();
		const answers = await Promise.all(Array.from({ length: 10 }, () => shop.payByCard(placed.payUrl)));
		expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(303));
		await shop.untilOrderIs("completed", placed.id);
		const again = await shop.payByCard(placed.payUrl);
		const back = await shop.ask(again.headers.get("location") ?? "");
		expect(back.headers.get("location")).toBe(`${shop.url}/confirmation/${placed.sessionId}`);
		expect(await countEvents(placed.id, "paid")).toBe(1);
		expect(await shop.getMails(placed, "confirmation")).toHaveLength(1);
	});

	test.each(["cs_test_unknown", "..%2F..%2Fetc%2Fpasswd"])("session %s does not exist", async (id) => {
		expect((await shop.ask(`/bac-a-sable/${id}`)).status).toBe(404);
		expect((await shop.payByCard(`/bac-a-sable/${id}`)).status).toBe(404);
	});
});

describe("returning without a payment", () => {
	test("the cancel link opens the order, which resumes in the same open session", async () => {
		const placed = await shop.placeOrder({ service: "postal" });
		const path = await shop.getResumePath(placed.payUrl);
		const page = await shop.ask(path);
		expect(page.status).toBe(200);
		expect(page.headers.get("cache-control")).toBe("no-store");
		const text = await page.text();
		for (const shown of ["Rien n’a été débité", placed.number, "DANONE", "44,00"]) expect(text).toContain(shown);

		const resumed = await shop.postForm(path, {});
		expect({ status: resumed.status, to: resumed.headers.get("location") }).toEqual({ status: 303, to: placed.payUrl });
		expect(await shop.getEventTypes(placed.id)).toEqual(["created"]);
		await shop.payByCard(placed.payUrl);
		await shop.untilOrderIs("completed", placed.id);
	});

	test("the cancel link contains nothing of the customer, and cannot be altered", async () => {
		const { id, number, payUrl } = await shop.placeOrder();
		const path = await shop.getResumePath(payUrl);
		for (const secret of ["example", "lovelace", number]) expect(path.toLowerCase()).not.toContain(secret.toLowerCase());
		const { signer } = shop.shop;
		const forged = [`${path}x`, path.slice(0, -1), path.replace(".", ""), signer.sign("document", id), signer.sign("track", id)];
		for (const altered of forged.map((token) => token.replace("/paiement/reprendre/", ""))) {
			for (const answer of [await shop.ask(`/paiement/reprendre/${altered}`), await shop.postForm(`/paiement/reprendre/${altered}`, {})]) {
				expect(answer.status, altered).toBe(403);
				expect(await answer.text()).not.toContain(number);
			}
		}
	});

	test("the cancel link is valid for 30 days; then a page says that it has expired, and what to do", async () => {
		const { number, payUrl, sessionId } = await shop.placeOrder();
		const path = await shop.getResumePath(payUrl);
		ahead = 30 * 86_400_000 - 60_000;
		expect((await shop.ask(path)).status).toBe(200);
		const resumed = await shop.postForm(path, {});
		expect([resumed.status, resumed.headers.get("location") === payUrl]).toEqual([303, false]); // the first session has expired
		ahead = 30 * 86_400_000 + 60_000;
		for (const answer of [await shop.ask(path), await shop.postForm(path, {})]) {
			expect([answer.status, answer.headers.getSetCookie()]).toEqual([410, []]);
			const text = await answer.text();
			for (const expected of ["Ce lien a expiré", 'href="/commande"', 'href="/suivi-commande"']) expect(text).toContain(expected);
			for (const hidden of [number, "DANONE", sessionId]) expect(text).not.toContain(hidden);
		}
	});

	test("after the payment, the cancel link leads to the tracking page", async () => {
		const placed = await shop.placeOrder();
		const path = await shop.getResumePath(placed.payUrl);
		await shop.payInSilence(placed.sessionId); // the link asks the provider itself
		const answer = await shop.ask(path);
		expect(answer.headers.get("location")).toBe(`/suivi/${placed.number}`);
		await shop.untilOrderIs("completed", placed.id);
	});
});
