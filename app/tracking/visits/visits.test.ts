import { afterAll, beforeAll, expect, test } from "vitest";
import { type PlacedPurchase, placePurchase } from "../../../test/purchases/place-purchase.ts";
import { createSpaceShop, type SpaceShop } from "../../../test/shops/customer-space.ts";

// What « Quitter » and a closed session end: all orders that one visit opened, also where the browser still has their cookies.

let shop: SpaceShop;
let bought: PlacedPurchase;
const email = "cabinet@example.fr";
beforeAll(async () => {
	shop = await createSpaceShop();
	bought = await placePurchase(shop, [{}, { siren: "542107651", companyName: "ENGIE" }, { siren: "780129987", companyName: "RENAULT" }], {
		email,
	});
	await shop.payByCard(bought.payUrl);
	for (const { id } of bought.orders) await shop.untilOrderIs("completed", id);
});
afterAll(() => shop?.stop());

const getCookie = (answer: Response) => answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
const pageOf = (line: number) => `/suivi/${bought.orders[line - 1]?.order_number}`;
const isOpen = async (path: string, cookie: string) => !(await (await shop.visit(path, cookie)).text()).includes("Rechercher la commande");

/** Opens the second and the third line from the page of the purchase. @returns their cookies. */
async function openLines(cookie: string): Promise<[string, string]> {
	const open = async (line: number) => getCookie(await shop.visit(`${pageOf(1)}/ensemble/ligne/${line}`, cookie));
	return [await open(2), await open(3)];
}

const findByNumber = async () => getCookie(await shop.postForm("/suivi-commande", { email, orderId: bought.orders[0].order_number }));

test("« Quitter » on the page of a purchase, or of a line, closes the lines too", async () => {
	for (const leftFrom of [1, 2]) {
		const first = await findByNumber();
		const [second, third] = await openLines(first);
		const opened: [string, string][] = [
			[`${pageOf(1)}/ensemble`, first],
			[pageOf(1), first],
			[pageOf(2), second],
			[pageOf(3), third],
		];
		for (const [path, cookie] of opened) expect(await isOpen(path, cookie)).toBe(true);
		// an order that is opened again, by itself, is another visit
		const again = await findByNumber();
		const left = await shop.submit(pageOf(leftFrom), leftFrom === 1 ? first : second, { intent: "quit" });
		expect([left.status, left.headers.get("location")]).toEqual([303, "/suivi-commande"]);
		// those of the page, of the confirmation, of the page that resumes the payment, and of typed forms
		const ended = ["suivi", "suivi", "commande", "commande", "commande", ...Array(4).fill("saisie")].map((name) =>
			expect.stringContaining(`${name}=; Max-Age=0`),
		);
		expect(left.headers.getSetCookie()).toEqual(ended);
		for (const [path, cookie] of opened) expect(await isOpen(path, cookie)).toBe(false);
		expect(await isOpen(pageOf(1), again)).toBe(true);
	}
	expect(await shop.shop.db.selectFrom("ended_visits").select("id").execute()).toHaveLength(2);
});

test("the confirmation opens the same visit each time, which « Quitter » ends", async () => {
	const confirm = async () => getCookie(await shop.visit(`/confirmation/${bought.sessionId}`, bought.cookie));
	const before = await confirm();
	const [second] = await openLines(before);
	await shop.submit(pageOf(1), await confirm(), { intent: "quit" });
	expect([await isOpen(pageOf(1), before), await isOpen(pageOf(2), second)]).toEqual([false, false]);
});

test("what the space opened ends with its session: closed elsewhere, left there, or left on an order's page", async () => {
	const ends: ((session: { cookie: string; id: string; first: string }) => Promise<unknown>)[] = [
		async ({ id }) => shop.submit("/mes-commandes/connexions", await shop.signIn(email), { do: "end", session: id }),
		({ cookie }) => shop.submit("/mes-commandes", cookie, { do: "quit" }),
		({ first }) => shop.submit(pageOf(1), first, { intent: "quit" }),
	];
	for (const end of ends) {
		await shop.shop.db.deleteFrom("customers.session").execute();
		const cookie = await shop.signIn(email);
		const [session] = await shop.shop.db.selectFrom("customers.session").select("id").execute();
		const first = getCookie(await shop.visit(`/mes-commandes/commande/${bought.orders[0].order_number}?ensemble`, cookie));
		const alone = getCookie(await shop.visit(`/mes-commandes/commande/${bought.orders[2]?.order_number}`, cookie));
		const [second] = await openLines(first);
		const opened: [string, string][] = [
			[`${pageOf(1)}/ensemble`, first],
			[pageOf(2), second],
			[pageOf(3), alone],
		];
		for (const [path, access] of opened) expect(await isOpen(path, access)).toBe(true);
		await end({ cookie, id: session?.id ?? "", first });
		for (const [path, access] of opened) expect(await isOpen(path, access)).toBe(false);
		expect((await shop.visit("/mes-commandes/connexions", cookie)).status).toBe(303);
		// neither read nor changed
		await shop.submit(pageOf(3), alone, { intent: "share", label: "", days: "7", code: "" });
		expect(await shop.shop.db.selectFrom("document_shares").select("id").execute()).toEqual([]);
	}
});

test("a cookie with another visit opens nothing", async () => {
	const cookie = await findByNumber();
	const other = await findByNumber();
	expect(await isOpen(pageOf(1), `${other.split("~")[0]}~${cookie.split("~")[1]}`)).toBe(false);
	for (const wrong of ["suivi=", "suivi=own-1~x", `suivi=${cookie.split("~")[1]}`]) expect(await isOpen(pageOf(1), wrong)).toBe(false);
});
