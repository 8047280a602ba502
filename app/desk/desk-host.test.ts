import { request } from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { inviteOperator } from "./operators/invite-operator.server.ts";

let shop: TestShop;
beforeAll(async () => {
	shop = await createTestShop({ variables: { DESK_HOST: "bureau.example:8443" } });
});
afterAll(() => shop?.close());

/** Requests a path with a Host header, which fetch does not allow. */
const askHost = (
	path: string,
	host: string,
	{ method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) =>
	new Promise<number>((resolve, reject) => {
		const sent = request(new URL(path, shop.url), { method, headers: { host, ...headers } }, (answer) => {
			answer.resume();
			resolve(answer.statusCode ?? 0);
		});
		sent.on("error", reject).end();
	});

const scripts = "/__manifest?paths=%2Fbureau%2Fcommandes&version=1";

test("the desk answers on its host alone, and not before somebody was invited", async () => {
	expect(await askHost("/bureau/connexion", "bureau.example:8443")).toBe(404);
	expect(await askHost(scripts, "bureau.example:8443")).toBe(404);
	expect(await askHost("/bureau/app.webmanifest", "bureau.example:8443")).toBe(404);
	const url = await inviteOperator(shop.shop, { email: "ada@bureau.example", name: "Ada", roles: ["serve"], invitedBy: "test" });
	expect(url).toMatch(/^http:\/\/bureau\.example:8443\/bureau\/invitation\//);
	for (const path of ["/bureau/connexion", "/bureau/app.webmanifest"]) expect(await askHost(path, "bureau.example:8443"), path).toBe(200);
	const spelt = scripts.replace("bureau", "%2562ureau");
	for (const path of ["/bureau/connexion", "/bureau/app.webmanifest", "/bureau/commandes", new URL(url).pathname, scripts, spelt])
		expect(await askHost(path, "www.example"), path).toBe(404);
	expect(await askHost("/", "www.example")).toBe(200);
});

test("forms of the desk's host are its own, and those of the shop's host are foreign there", async () => {
	const post = (origin: string) => askHost("/bureau/connexion", "bureau.example:8443", { method: "POST", headers: { origin } });
	expect(await post("http://bureau.example:8443")).toBe(400); // incomplete
	expect(await post("http://evil.example")).toBe(403);
});

test("the framework's list of scripts names none of the desk on other hosts", async () => {
	expect(await askHost("/__manifest?paths=%2Fcommande&version=1", "www.example")).not.toBe(404);
});

test("a malformed path in the list of scripts hides no other, and is not written to the process's output", async () => {
	const page = await (await shop.ask("/commande")).text();
	const version = /"version":"(\w+)"/.exec(page)?.[1] ?? /manifest-(\w+)\.js/.exec(page)?.[1];
	expect(version).toBeDefined();
	const spies = (["warn", "error", "log"] as const).map((name) => vi.spyOn(console, name));
	try {
		const ask = (paths: string) => askHost(`/__manifest?paths=${paths}&version=${version}`, "www.example");
		expect(await ask("%2Fcommande")).toBe(200);
		expect(await ask("%2F%2562ureau%2Fargent")).toBe(404);
		for (const paths of [
			"%25zz,%2F%2562ureau%2Fargent",
			"%0a{%22msg%22:%22forged%20line%22}%0a%1b[31mRED%25zz",
			"%2Fcommande%250aforged",
			"%2F%25E0",
		])
			expect(await ask(paths), paths).toBe(400);
		for (const spy of spies) expect(spy).not.toHaveBeenCalled();
	} finally {
		for (const spy of spies) spy.mockRestore();
	}
});
