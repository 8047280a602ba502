import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { placePurchase } from "../../../../test/purchases/place-purchase.ts";
import { createStripeShop, type StripeShop } from "../../../../test/stripe-shop.ts";
import type { AccessKey } from "../../../orders/access.ts";
import { signKey } from "../../../orders/keys.server.ts";
import type { Order } from "../../../orders/order.ts";
import { createVisit } from "../visits/visits.server.ts";
import { planWithdrawal } from "../withdraw.server.ts";

// The withdrawal from a purchase of several orders, through its page (docs/rules.md, R182).

let shop: StripeShop;
beforeAll(async () => {
	shop = await createStripeShop({ variables: { ISSUER: "manual" } });
});
afterAll(() => shop?.close());

const email = "ada@example.fr";
const lines = [
	{ service: "express" },
	{ service: "standard", siren: "542107651", companyName: "ENGIE" },
	{ service: "express", siren: "780129987", companyName: "RENAULT" },
	{ service: "postal", siren: "542051180", companyName: "TOTALENERGIES" },
] as const;

const setOrder = (order: Order | undefined, values: Partial<Order>) =>
	shop.shop.db
		.updateTable("orders")
		.set(values as object)
		.where("id", "=", order?.id ?? "")
		.execute();

/** A paid purchase: the first and the last order wait, the second is delivered, the third too, and its customer waived the right. */
async function buy() {
	const { orders, sessionId } = await placePurchase(shop, lines);
	await shop.pay(sessionId);
	for (const { id } of orders) await shop.untilOrderIs("processing", id);
	const completed = { status: "completed", completed_at: shop.shop.now() } as const;
	await setOrder(orders[1], completed);
	await setOrder(orders[2], { ...completed, withdrawal_waived_at: shop.shop.now() });
	return orders;
}

/** @returns the cookie of the order's page. */
async function signIn(number: string): Promise<string> {
	const found = await shop.postForm("/suivi-commande", { email, orderId: number });
	return found.headers.get("set-cookie")?.split(";")[0] ?? "";
}

const toText = (html: string) =>
	(/<main.*<\/main>/s.exec(html)?.[0] ?? "")
		.replace(/<!-- -->/g, "")
		.replace(/<[^>]+>/g, " ")
		.replace(/[\s\u00a0\u202f]+/g, " ");

const listBoxes = (html: string) => [...html.matchAll(/<input type="checkbox"[^>]*>/g)].map(([box]) => box);
const readLines = (boxes: readonly string[]) => boxes.map((box) => Number(/value="(\d+)"/.exec(box)?.[1]));
const isTicked = (box: string) => / checked=""/.test(box);

/** Gives e-mail and number. */
async function declare(number: string) {
	const html = await (await shop.postForm("/retractation", { email, orderId: number })).text();
	const declaration = /name="declaration" value="([^"]+)"/.exec(html)?.[1] ?? "";
	return { html, text: toText(html), offered: readLines(listBoxes(html)), declaration };
}

async function confirm(declaration: string, chosen: readonly number[]) {
	const body = new URLSearchParams([["declaration", declaration], ...chosen.map((line) => ["ligne", String(line)])]);
	const answer = await shop.ask("/retractation", { method: "POST", body });
	const location = answer.headers.get("location");
	const html = location === null ? await answer.text() : await (await shop.ask(location)).text();
	return { status: answer.status, text: toText(html), html };
}

const getRefunds = async (orders: readonly Order[]) =>
	Promise.all(orders.map(async ({ id }) => (await shop.rows.refunds(id)).map(({ reason, amount_cents }) => [reason, amount_cents])));

const getWithdrawals = async (orders: readonly Order[]) => {
	const ids = orders.map(({ id }) => id);
	const rows = await shop.shop.db.selectFrom("withdrawals").selectAll().where("order_id", "in", ids).execute();
	return orders.map(({ id }) => rows.find(({ order_id }) => order_id === id)?.outcome ?? null);
};

const readReceipt = async ({ id, order_number: number }: Order) =>
	(await shop.getMails({ id, number, sessionId: "", payUrl: "" }, "withdrawal-receipt")).map(({ text, subject }) =>
		`${subject} ${text}`.replace(/[\s\u00a0\u202f]+/g, " "),
	);

describe("the number of a purchase", () => {
	test("withdraws every line that may be, lists them first with what is refused, and one receipt has each and the sum", async () => {
		const orders = await buy();
		const [first] = orders;
		const { text, offered, declaration } = await declare(first.order_number);
		expect(offered).toEqual([1, 2, 4]);
		for (const part of ["DANONE, KBIS Express", "ENGIE, KBIS Standard", "TOTALENERGIES, KBIS Postal", "le total des extraits cochés"])
			expect(text).toContain(part);
		expect(text).not.toContain("142,00 €");
		expect(text).toMatch(/nous ne pourrons pas donner suite\. RENAULT, KBIS Express, KB-[\w-]+\. Vous avez demandé l’exécution immédiate/);
		expect(await getWithdrawals(orders)).toEqual([null, null, null, null]);

		const receipt = await confirm(declaration, offered);
		expect(receipt.status).toBe(303);
		expect(receipt.text).toContain(`commande groupée ${first.order_number}`);
		expect(receipt.text).toContain("Nous vous remboursons : 142,00 €");
		expect(receipt.text).toMatch(/RENAULT, KBIS Express, KB-[\w-]+ Refusé\. Vous avez demandé/);
		expect(receipt.text).not.toContain("totalité");
		expect(await getWithdrawals(orders)).toEqual(["cancelled", "refunded", "refused", "cancelled"]);
		expect(await getRefunds(orders)).toEqual([[["withdrawal", 5900]], [["withdrawal", 3900]], [], [["withdrawal", 4400]]]);

		const mails = await readReceipt(first);
		expect(mails).toHaveLength(1);
		for (const part of [
			`— commande groupée ${first.order_number}`,
			...orders.map(({ order_number, company_name, siren }) => `${order_number} : ${company_name} (SIREN ${siren})`),
			"DANONE : Annulée, 59,00 € remboursés.",
			"ENGIE : Acceptée, 39,00 € remboursés.",
			"RENAULT : Refusée. Vous avez demandé",
			"TOTALENERGIES : Annulée, 44,00 € remboursés.",
			"Total remboursé : 142,00 € TTC",
		])
			expect(mails[0]).toContain(part);
		for (const order of orders.slice(1))
			expect((await shop.rows.mails(order.id)).map(({ kind }) => kind)).not.toContain("withdrawal-receipt");

		// who declares again reads the receipt: there is nothing to confirm, and nothing more is refunded
		const again = await declare(first.order_number);
		expect([again.offered, again.declaration]).toEqual([[], ""]);
		const opened = toText(await (await shop.ask(`/retractation?declaration=${declaration}`)).text());
		for (const text of [again.text, opened, (await confirm(declaration, [])).text]) expect(text).toBe(receipt.text);
		expect(await getRefunds(orders)).toEqual([[["withdrawal", 5900]], [["withdrawal", 3900]], [], [["withdrawal", 4400]]]);
	});

	test("withdraws the chosen lines alone, then the others; none chosen is refused with a sentence", async () => {
		const orders = await buy();
		const [first, second, , fourth] = orders;
		const { declaration } = await declare(first.order_number);
		const none = await confirm(declaration, []);
		expect([none.status, none.text.includes("Choisissez au moins un extrait."), none.html.includes('value="4"')]).toEqual([
			400,
			true,
			true,
		]);
		// a line that is refused, and one of no purchase, choose nothing
		expect((await confirm(declaration, [3, 9])).status).toBe(400);
		const receipt = await confirm(declaration, [2]);
		expect(receipt.text).toContain(`commande ${second?.order_number}`);
		expect(receipt.text).toContain("39,00 € vous sont remboursés.");
		expect(await getWithdrawals(orders)).toEqual([null, "refunded", null, null]);
		expect((await readReceipt(second as Order))[0]).toContain("Nous vous remboursons 39,00 €.");
		// sent once more, it leads to the same receipt, and withdraws nothing else
		const again = await confirm(declaration, [2]);
		expect([again.status, again.text]).toEqual([303, receipt.text]);
		expect((await confirm(declaration, [])).status).toBe(400);
		expect(await getWithdrawals(orders)).toEqual([null, "refunded", null, null]);

		const rest = await declare(first.order_number);
		expect(rest.offered).toEqual([1, 4]);
		expect(rest.text).toContain(`Vous vous êtes déjà rétracté pour ENGIE, KBIS Standard, ${second?.order_number}.`);
		expect((await confirm(rest.declaration, [4])).text).toContain("44,00 € vous sont remboursés.");
		expect(await getWithdrawals(orders)).toEqual([null, "refunded", null, "cancelled"]);
		expect(await readReceipt(fourth as Order)).toHaveLength(1);
		// the first is withdrawn last: then the receipt shown is that of the last declaration
		expect((await confirm(rest.declaration, [1])).text).toContain(`commande groupée ${first.order_number}`);
		expect((await declare(first.order_number)).text).toContain("59,00 € vous sont remboursés.");
	});

	test("ticks nothing before the customer does, then all with one button, which works without a script; the page leads back", async () => {
		const [first] = await buy();
		const { html, declaration } = await declare(first.order_number);
		const none = await confirm(declaration, []);
		for (const page of [html, none.html]) {
			expect(listBoxes(page).filter(isTicked)).toEqual([]);
			expect(page).toContain(`href="/suivi/${first.order_number}/ensemble"`);
		}
		const [button = ""] = /<button[^>]*>Tout cocher/.exec(html) ?? [];
		const [name = "", value = "", form] = ["name", "value", "form"].map((each) => new RegExp(` ${each}="([^"]*)"`).exec(button)?.[1] ?? "");
		expect(html).toContain(`<form id="${form}" method="post"><input type="hidden" name="declaration" value="${declaration}"/></form>`);
		const all = await (await shop.postForm("/retractation", { declaration, [name]: value })).text();
		expect(readLines(listBoxes(all).filter(isTicked))).toEqual([1, 2, 4]);
	});

	test("names two of its later lines by the number of the purchase", async () => {
		const orders = await buy();
		const { declaration } = await declare(orders[0].order_number);
		expect((await confirm(declaration, [2, 4])).text).toContain(`commande groupée ${orders[0].order_number}`);
	});

	test("of an unpaid purchase cancels all of it, whatever is chosen", async () => {
		const { orders } = await placePurchase(shop, lines);
		const { text, offered, declaration } = await declare(orders[0].order_number);
		expect([offered, text.includes("toute la commande est annulée")]).toEqual([[], true]);
		expect((await confirm(declaration, [])).text).toContain("La commande est annulée.");
		expect(await getWithdrawals(orders)).toEqual(["cancelled", "cancelled", "cancelled", "cancelled"]);
		expect((await readReceipt(orders[0]))[0]).toContain("Vous n’avez rien payé et ne devez rien.");
	});
});

test("an order that expired before its payment has nothing to declare, and can be withdrawn from once it is paid", async () => {
	const placed = await shop.placeOrder();
	const { declaration } = await declare(placed.number);
	shop.stripe.expire(placed.sessionId);
	await shop.stripe.delivered();
	const refused = "Cette commande n’a pas été payée : aucun contrat n’est conclu et vous ne devez rien.";
	const asked = await shop.postForm("/retractation", { email, orderId: placed.number });
	const confirmed = await confirm(declaration, []);
	const opened = toText(await (await shop.ask(`/retractation?declaration=${declaration}`)).text());
	expect([asked.status, confirmed.status]).toEqual([409, 409]);
	for (const text of [toText(await asked.text()), confirmed.text, opened]) {
		expect(text).toContain(refused);
		expect(text).not.toContain("Confirmer la rétractation");
	}
	expect((await shop.rows.mails(placed.id)).map(({ kind }) => kind)).not.toContain("withdrawal-receipt");

	const resumed = await shop.onTrackingPage(placed, { intent: "resume" });
	const [session] = [...shop.stripe.state.sessions.values()].filter(({ url }) => url === resumed.headers.get("location"));
	await shop.pay(session?.id ?? "");
	await shop.untilOrderIs("processing", placed.id);
	expect(await shop.withdrawOnline(placed)).toContain("La commande est annulée");
});

test("a purchase of two hundred lines is withdrawn with one form", async () => {
	const { orders } = await placePurchase(
		shop,
		Array.from({ length: 200 }, () => ({})),
	);
	await shop.shop.db
		.updateTable("orders")
		.set({ status: "completed", paid_at: shop.shop.now(), completed_at: shop.shop.now() })
		.where("purchase_id", "=", orders[0].id)
		.execute();
	const { offered, declaration } = await declare(orders[0].order_number);
	expect(offered).toHaveLength(200);
	expect((await confirm(declaration, offered)).status).toBe(303);
	expect(new Set(await getWithdrawals(orders))).toEqual(new Set(["refunded"]));
});

describe("a later line's own number", () => {
	test("withdraws that line alone, without the buyer's name, amounts and the other lines", async () => {
		const orders = await buy();
		const [first, , , fourth] = orders;
		const { text, offered, declaration } = await declare(fourth?.order_number ?? "");
		expect(offered).toEqual([]);
		const receipt = await confirm(declaration, [1, 2, 4]);
		for (const page of [text, receipt.text]) expect(page).not.toMatch(new RegExp(`Lovelace|\\d+,\\d\\d €|DANONE|${first.order_number}`));
		expect(receipt.text).toContain("La commande est annulée, et le prix est remboursé sur la carte utilisée pour le paiement.");
		expect(await getWithdrawals(orders)).toEqual([null, null, null, "cancelled"]);
		// the receipt goes to the customer, who may see amounts
		expect((await readReceipt(fourth as Order))[0]).toContain("Nous vous remboursons 44,00 €.");
	});

	test("opens one line, as a key of the first line alone would", async () => {
		const orders = await buy();
		const first: Order = { ...orders[0], status: "processing" };
		const plan = async (access: AccessKey) => (await planWithdrawal(shop.shop, first, access)).map(({ order }) => order.id);
		expect(await plan("line")).toEqual([first.id]);
		expect(await plan("purchase")).toEqual(orders.map(({ id }) => id));
	});

	test("of an unpaid purchase withdraws nothing, because that would be all of it", async () => {
		const { orders } = await placePurchase(shop, lines);
		const answer = await shop.postForm("/retractation", { email, orderId: orders[1]?.order_number ?? "" });
		expect([answer.status, toText(await answer.text()).includes("Vous avez ouvert un seul extrait")]).toEqual([403, true]);
		const page = `/suivi/${orders[1]?.order_number}`;
		const cookie = await signIn(orders[1]?.order_number ?? "");
		expect(await (await shop.ask(page, { headers: { cookie } })).text()).not.toContain('value="withdraw"');
		expect((await shop.postForm(page, { intent: "withdraw" }, { cookie })).status).toBe(403);
		expect(await getWithdrawals(orders)).toEqual([null, null, null, null]);
	});

	test("of a purchase whose payment the shop has not heard of yet is declared; while the provider is silent, it is to be tried again", async () => {
		const { orders, sessionId } = await placePurchase(shop, lines);
		const number = orders[1]?.order_number ?? "";
		shop.stripe.holdEvents();
		shop.stripe.pay(sessionId);
		shop.stripe.failNext({ path: `GET /v1/checkout/sessions/${sessionId}`, kind: "503", times: 3 });
		const silent = await shop.postForm("/retractation", { email, orderId: number });
		expect([silent.status, toText(await silent.text()).includes("Nous ne pouvons pas vérifier si cette commande est payée.")]).toEqual([
			503,
			true,
		]);
		shop.clock.ahead += 2000; // the provider is asked again after two seconds
		const { text, declaration } = await declare(number);
		expect(text).toContain("ENGIE");
		await confirm(declaration, []);
		shop.stripe.releaseEvents();
		expect(await getWithdrawals(orders)).toEqual([null, "cancelled", null, null]);
	});
});

test("the page of the purchase leads to the declaration for all lines, that of a line to its own", async () => {
	const orders = await buy();
	const [first, second] = orders;
	const press = async (path: string, cookie: string) => {
		expect(await (await shop.ask(path, { headers: { cookie } })).text()).toContain('value="withdraw"');
		const answer = await shop.postForm(path, { intent: "withdraw" }, { cookie });
		return toText(await (await shop.ask(answer.headers.get("location") ?? "/")).text());
	};
	const cookie = await signIn(first.order_number);
	for (const path of [`/suivi/${first.order_number}/ensemble`, `/suivi/${first.order_number}`])
		expect(await press(path, cookie)).toContain("TOTALENERGIES");
	const number = second?.order_number ?? "";
	const own = await press(`/suivi/${number}`, await signIn(number));
	expect([own.includes("ENGIE"), own.includes("TOTALENERGIES")]).toEqual([true, false]);
	const sign = (id: string, kind: "withdrawal" | "withdrawal-receipt" = "withdrawal") =>
		signKey(shop.shop, kind, { id, customer_email: second?.customer_email ?? "" }, { access: "line", visit: createVisit() });
	const unknown = sign(crypto.randomUUID());
	const posted = await confirm(unknown, []);
	expect([posted.status, posted.text.includes("Cette page a expiré.")]).toEqual([400, true]);
	await setOrder(second, { erased_at: shop.shop.now() });
	for (const query of [
		...["declaration=a.b", "recu=a.b", `declaration=${unknown}`, `declaration=${sign(second?.id ?? "")}`],
		`recu=${sign(crypto.randomUUID(), "withdrawal-receipt")}`,
	])
		expect(toText(await (await shop.ask(`/retractation?${query}`)).text())).toContain("Cette page a expiré.");
});
