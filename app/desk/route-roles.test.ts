import { afterAll, beforeAll, expect, test } from "vitest";
import { createBrowser, createOperator, type TestOperator } from "../../test/operators.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import routes from "../routes.ts";
import { type Role, roles } from "./operators/roles.ts";
import { deskPages, mayOpen } from "./shell/desk-pages.ts";

// Every route of the desk, asked by every role. roles.test.ts has the pages of the menu.

let shop: TestShop;
/** One operator of each role. */
let operators: Map<Role, TestOperator>;
beforeAll(async () => {
	shop = await createTestShop();
	operators = new Map();
	for (const role of roles) operators.set(role, await createOperator(shop, role, [role]));
});
afterAll(() => shop?.close());

/** The pages below /bureau of app/routes.ts. */
const deskRoutes = routes.find((route) => route.id === "desk")?.children ?? [];

/** Values of parameters: nothing has these numbers and ids. */
const sampleParameters: Record<string, string> = {
	number: "KB-ZZZZ-ZZZZ",
	month: "2020-01",
	file: "journal.csv",
	page: "1",
};

/** Every address below /bureau with the row of its roles, with parameters filled in. */
const deskAddresses = deskRoutes.flatMap(({ path }) => {
	if (path === undefined) return [];
	const address = `/bureau/${path.replace(/:(\w+)/g, (_, name) => sampleParameters[name] ?? crypto.randomUUID())}`;
	const [row] = deskPages
		.filter((page) => address === page.path || address.startsWith(`${page.path}/`))
		.sort((a, b) => b.path.length - a.path.length);
	return row ? [{ address, row }] : [];
});

test.each(["GET", "POST"])("each route answers %s to its roles alone", async (method) => {
	expect(deskAddresses.length).toBeGreaterThan(deskPages.length);
	const stranger = createBrowser(shop.url);
	for (const { address, row } of deskAddresses) {
		const init = method === "POST" ? { method, body: new URLSearchParams({ key: crypto.randomUUID() }) } : {};
		for (const [role, operator] of operators) {
			// a stream does not end by itself
			const stop = new AbortController();
			const answer = await operator.ask(address, { ...init, signal: stop.signal });
			stop.abort();
			expect(answer.status === 403, `${role} at ${address}: ${answer.status}`).toBe(!mayOpen(row, [role]));
			expect(answer.status, address).toBeLessThan(500);
		}
		const { status, headers } = await stranger.ask(address, init);
		expect([status, headers.get("location") ?? ""], address).toEqual(
			address.endsWith("/direct") || address.endsWith("/etat")
				? [expect.any(Number), expect.any(String)]
				: [302, expect.stringContaining("/bureau/connexion")],
		);
	}
});
