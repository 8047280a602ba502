import { expect, test } from "vitest";
import { checkImports, type SourceFile } from "./check-imports.ts";

const file = (path: string, text: string): SourceFile => ({ path, text });

test.each([
	["a higher layer", "app/orders/a.ts", 'import { b } from "../payments/b.ts";'],
	["a room to the left", "app/fulfilment/a.ts", 'import { b } from "../checkout/b.ts";'],
	["a type", "app/orders/a.ts", 'import type { B } from "../payments/b.ts";'],
	["an alias", "app/ui/a.ts", 'import { b } from "#app/orders/invoices/b.ts";'],
	["a script", "app/ui/fonts/make.mjs", 'import { b } from "../../orders/b.ts";'],
	["export from", "app/orders/a.ts", 'export { b } from "../payments/b.ts";'],
	["import()", "app/orders/a.ts", 'const { b } = await import("../payments/b.ts");'],
	["a front door", "app/payments/a.ts", 'import { b } from "../routes.ts";'],
	["how the shop is put together", "app/desk/a.ts", 'import { b } from "../create-shop.server.ts";'],
	["the server", "server/a.ts", 'import { b } from "../app/orders/b.ts";'],
	["a higher part of the server", "server/database/a.ts", 'import { b } from "../jobs.ts";'],
	["a test of the server", "server/a.test.ts", 'import { b } from "../app/orders/b.ts";'],
	["what only tests use", "app/orders/a.ts", 'import { b } from "../../test/fixtures/b.ts";'],
	["a bench", "main.ts", 'import { b } from "./proof/bench/b.ts";'],
	["the store of a higher layer", "app/orders/a.ts", 'import { b } from "../payments/payments.store.server.ts";'],
	["of a folder that is no room", "app/new/a.ts", 'import { b } from "../orders/b.ts";'],
])("reports a forbidden import: %s", (_, path, text) => {
	expect(checkImports([file(path, text)])).toHaveLength(1);
});

test.each([
	["down", "app/payments/a.ts", 'import { b } from "../orders/b.ts";'],
	["to the right", "app/checkout/a.ts", 'import { b } from "../payments/b.ts";'],
	["of a lower store", "app/payments/a.ts", 'import { b } from "../orders/orders.store.server.ts";'],
	["inside a room", "app/orders/refunds/a.ts", 'import { b } from "../orders.store.server.ts";'],
	["of the shop", "app/emails/a.ts", 'import { shopContext } from "../shop.ts";'],
	["of the shop's parts by a command", "app/commands/a.ts", 'import { b } from "../create-shop.server.ts";'],
	["of any room where the shop is put together", "app/jobs.ts", 'import { b } from "./commands/b.ts";'],
	["of a test", "app/orders/a.test.ts", 'import { b } from "../payments/b.ts"; import { c } from "../../test/shop.ts";'],
	["in a comment", "app/orders/a.ts", '// as in `import { b } from "../payments/b.ts"`'],
])("accepts an import: %s", (_, path, text) => {
	expect(checkImports([file(path, text)])).toEqual([]);
});

const own = file("app/orders/a.store.server.ts", 'db.insertInto("orders")');

test.each([
	["a store", file("app/payments/a.store.server.ts", 'db.updateTable("orders").set({})')],
	["SQL", file("app/payments/a.store.server.ts", "sql`delete from orders where id = 1`")],
])("reports a table that two rooms change: %s", (_, other) => {
	expect(checkImports([own, other])).toEqual([
		"orders is changed in more than one room: app/orders/a.store.server.ts, app/payments/a.store.server.ts",
	]);
});

test("accepts tables that one room changes and others read, whatever tests do", () => {
	expect(
		checkImports([
			own,
			file("app/orders/refunds/b.store.server.ts", "sql`update orders set id = 1`"),
			file("app/payments/a.store.server.ts", "sql`select from orders for update skip locked`"),
			file("app/payments/a.test.ts", 'db.deleteFrom("orders")'),
		]),
	).toEqual([]);
});
