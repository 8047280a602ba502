import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PlacedPurchase, placePurchase } from "../../../../test/purchases/place-purchase.ts";
import { createSpaceShop, type SpaceShop } from "../../../../test/shops/customer-space.ts";
import { createTrackingUrl } from "../../../emails/tracking-urls.server.ts";
import { createConfirmationCookies } from "../confirmation/confirmation-access.server.ts";
import { createVisit } from "./visits.server.ts";

// What « Quitter » and a closed session end: all that one visit opened, also where the browser still has the cookies.

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

const confirmation = () => `/confirmation/${bought.sessionId}`;

/** The cookie of a browser that started the payment; its value is the same on all its pages. */
const startPayment = async () =>
	(await createConfirmationCookies(shop.shop, bought.orders[0].id, createVisit())).getSetCookie()[0]?.split(";")[0] ?? "";

/** Whether the confirmation leads this browser to the page of the whole purchase. */
const isWhole = async (cookie: string) => (await shop.visit(confirmation(), cookie)).headers.get("location") === `${pageOf(1)}/ensemble`;

const readQuitKey = (html: string) => /name="key" value="([^"]+)"/.exec(html)?.[1] ?? expect.fail("the page has no key");

/** The paths of a kind of cookies that an answer sets or removes. */
const listPaths = (answer: Response, name: string) =>
	answer.headers.getSetCookie().flatMap((text) => (text.startsWith(`${name}=`) ? (/; Path=([^;]+)/.exec(text)?.[1] ?? []) : []));

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
		// those of the page, of the confirmation, of the pages where the browser that ordered is known, and of typed forms
		const ended = ["suivi", "suivi", ...Array(4).fill("commande"), ...Array(4).fill("saisie")];
		expect(left.headers.getSetCookie()).toEqual(ended.map((name) => expect.stringContaining(`${name}=; Max-Age=0`)));
		expect(listPaths(left, "commande").slice(0, 2)).toEqual([confirmation(), `${confirmation()}.data`]);
		expect(listPaths(left, "commande").at(-1)).toBe(pageOf(1));
		for (const [path, cookie] of opened) expect(await isOpen(path, cookie)).toBe(false);
		expect(await isOpen(pageOf(1), again)).toBe(true);
	}
	expect(await shop.shop.db.selectFrom("ended_visits").select("id").execute()).toHaveLength(2);
});

test("the confirmation opens the same visit each time, which « Quitter » ends together with it", async () => {
	const ordered = await startPayment();
	const confirm = async () => getCookie(await shop.visit(confirmation(), ordered));
	const before = await confirm();
	const [second] = await openLines(before);
	await shop.submit(pageOf(1), await confirm(), { intent: "quit" });
	expect([await isOpen(pageOf(1), before), await isOpen(pageOf(2), second), await isWhole(ordered)]).toEqual([false, false, false]);
});

describe("once the cookie of the page has expired, « Quitter »", () => {
	test.each(["of the purchase", "of its first order", "of a line"])("on the page %s ends what it would have ended", async (page) => {
		const ordered = await startPayment();
		const first = getCookie(await shop.visit(confirmation(), ordered));
		const [second, third] = await openLines(first);
		const [path, cookie] =
			page === "of a line" ? [pageOf(2), second] : [page === "of the purchase" ? `${pageOf(1)}/ensemble` : pageOf(1), first];
		const key = readQuitKey(await (await shop.visit(path, cookie)).text());
		const left = await shop.submit(page === "of a line" ? pageOf(2) : pageOf(1), "", { intent: "quit", key });
		expect(listPaths(left, "commande")).toContain(confirmation());
		const opened = [await isOpen(pageOf(1), first), await isOpen(pageOf(2), second), await isOpen(pageOf(3), third)];
		expect([...opened, await isWhole(ordered)]).toEqual([false, false, false, false]);
		// a second time
		expect(listPaths(await shop.submit(pageOf(1), "", { intent: "quit", key }), "commande")).toEqual([]);
	});

	test("ends nothing by the key of another order, or an altered one", async () => {
		const first = await findByNumber();
		const [second] = await openLines(first);
		const key = readQuitKey(await (await shop.visit(pageOf(2), second)).text());
		for (const wrong of [key, `${key}x`, ""]) {
			const left = await shop.submit(pageOf(1), "", { intent: "quit", key: wrong });
			expect(listPaths(left, "commande")).toEqual([]);
		}
		expect([await isOpen(pageOf(1), first), await isOpen(pageOf(2), second)]).toEqual([true, true]);
	});
});

describe("on a page that the link of an e-mail opened, « Quitter »", () => {
	async function openByLink(): Promise<string> {
		const link = createTrackingUrl(shop.shop, await shop.orderRow(bought.orders[0].id));
		return getCookie(await shop.visit(new URL(link).pathname, ""));
	}

	test("ends the confirmation in the browser that ordered", async () => {
		const ordered = await startPayment();
		const left = await shop.submit(pageOf(1), `${await openByLink()}; ${ordered}`, { intent: "quit" });
		expect(listPaths(left, "commande")).toContain(confirmation());
		expect(await isWhole(ordered)).toBe(false);
	});

	test("tells another browser nothing of the confirmation, and leaves it open where it was ordered", async () => {
		const ordered = await startPayment();
		const link = await openByLink();
		const page = await (await shop.visit(pageOf(1), link)).text();
		const left = await shop.submit(pageOf(1), link, { intent: "quit", key: readQuitKey(page) });
		expect(listPaths(left, "suivi")).toEqual([pageOf(1), `${pageOf(1)}.data`]);
		expect(page + left.headers.getSetCookie().join()).not.toContain(bought.sessionId);
		expect([await isOpen(pageOf(1), link), await isWhole(ordered)]).toEqual([false, true]);
	});
});

test("« Quitter » ends the withdrawals that the page opened, and their receipts", async () => {
	const expired = "Cette page a expiré";
	const leave = async (cookie: string) => shop.submit(pageOf(1), cookie, { intent: "quit" });
	const declare = async (cookie: string) => (await shop.submit(pageOf(1), cookie, { intent: "withdraw" })).headers.get("location") ?? "";
	const read = async (path: string) => (await (await shop.visit(path, "")).text()).includes(expired);
	const cookie = await findByNumber();
	const [declaration, other] = [await declare(cookie), await declare(await findByNumber())];
	const token = new URL(declaration, shop.url).searchParams.get("declaration") ?? "";
	const receipt =
		(await shop.postForm("/retractation", { declaration: token, ligne: "1" })).headers.get("location") ?? expect.fail("no receipt");
	expect(receipt).toContain("?recu=");
	expect([await read(declaration), await read(receipt), await read(other)]).toEqual([false, false, false]);
	await leave(cookie);
	expect([await read(declaration), await read(receipt), await read(other)]).toEqual([true, true, false]);
	const again = await shop.postForm("/retractation", { declaration: token, ligne: "2" });
	expect([again.status, (await again.text()).includes(expired)]).toEqual([400, true]);
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
