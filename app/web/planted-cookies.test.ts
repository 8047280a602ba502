import { afterAll, beforeAll, expect, test } from "vitest";
import { createOperator } from "../../test/operators.ts";
import { createSpaceShop, type SpaceShop } from "../../test/shops/customer-space.ts";

/** A neighbouring host of the same domain may set cookies of our names: of several, the valid one counts. */

let shop: SpaceShop;
beforeAll(async () => {
	shop = await createSpaceShop();
});
afterAll(() => shop?.close());

/** Cookies with another of each name before or after them. */
const besides = (cookie: string) => {
	const planted = cookie.replace(/=[^;]*/g, "=planted.by-a-neighbour");
	return [`${planted}; ${cookie}`, `${cookie}; ${planted}`];
};

test("the desk stays open to its operator, and « Se déconnecter » ends the session", async () => {
	const operator = await createOperator(shop, "Ada", ["serve"]);
	const [[name, value] = ["", ""]] = [...operator.cookies].filter(([name]) => name.includes("session_token"));
	const ask = (cookie: string, path = "/bureau/commandes", init: RequestInit = {}) => shop.ask(path, { ...init, headers: { cookie } });
	for (const cookie of besides(`${name}=${value}`)) expect((await ask(cookie)).status).toBe(200);
	const [cookie = ""] = besides(`${name}=${value}`);
	expect((await ask(cookie, "/bureau/deconnexion", { method: "POST" })).headers.get("location")).toBe("/bureau/connexion");
	expect((await ask(`${name}=${value}`)).status).toBe(302);
});

test("a browser in which an operator gave both factors is known again", async () => {
	const operator = await createOperator(shop, "Grace", ["serve"]);
	const [device = ""] = [...operator.cookies].filter(([name]) => name.includes("device_")).map(([name, value]) => `${name}=${value}`);
	const from = { "x-forwarded-for": "192.0.2.33" };
	const signIn = (password: string, cookie: string) =>
		shop.postForm("/bureau/connexion", { email: operator.email, password }, { ...from, cookie });
	// strangers from the same network have used up the tries of this account
	for (let tries = 0; tries < 6; tries++) await signIn("faux", "a=1");
	expect((await signIn(operator.password, "a=1")).status).toBe(429);
	for (const cookie of besides(device)) expect((await signIn(operator.password, cookie)).status).not.toBe(429);
});

test("a customer's space stays open, and « Se déconnecter » ends the session", async () => {
	await shop.placeOrder({ customer: { email: "ada@example.fr" } });
	const own = await shop.signIn("ada@example.fr");
	const ask = (cookie: string) => shop.ask("/mes-commandes/connexions", { headers: { cookie } });
	for (const cookie of besides(own)) expect((await ask(cookie)).status).toBe(200);
	const [cookie = ""] = besides(own);
	const left = await shop.postForm("/mes-commandes", { do: "quit" }, { cookie });
	expect(left.status).toBe(303);
	expect((await ask(own)).status).not.toBe(200);
});

test("an order stays open", async () => {
	const { number } = await shop.placeOrder();
	const opened = await shop.postForm("/suivi-commande", { email: "ada@example.fr", orderId: number });
	const own = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
	for (const cookie of besides(own)) {
		const page = await shop.ask(`/suivi/${number}`, { headers: { cookie } });
		expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(number)]);
	}
});
