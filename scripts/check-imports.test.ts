import { expect, test } from "vitest";
import { checkImports, type SourceFile } from "./check-imports.ts";

const file = (path: string, text: string): SourceFile => ({ path, text });

test.each([
	["a lower layer", "app/orders/a.ts", 'import { b } from "../payments/b.ts";'],
	["a folder of the same layer", "app/fulfilment/a.ts", 'import { b } from "../order-form/b.ts";'],
	["a type", "app/orders/a.ts", 'import type { B } from "../payments/b.ts";'],
	["an alias", "app/ui/a.ts", 'import { b } from "#app/invoices/b.ts";'],
	["a script", "app/ui/fonts/make.mjs", 'import { b } from "../../invoices/b.ts";'],
	["export from", "app/orders/a.ts", 'export { b } from "../payments/b.ts";'],
	["import()", "app/orders/a.ts", 'const { b } = await import("../payments/b.ts");'],
	["a front door", "app/payments/a.ts", 'import { b } from "../routes.ts";'],
	["the server", "server/a.ts", 'import { b } from "../app/orders/b.ts";'],
	["a test of the server", "server/a.test.ts", 'import { b } from "../app/orders/b.ts";'],
	["what only tests use", "app/orders/a.ts", 'import { b } from "../../test/fixtures/b.ts";'],
	["a bench", "main.ts", 'import { b } from "./bench/b.ts";'],
	["the store of a higher layer", "app/orders/a.ts", 'import { b } from "../payments/payments.store.server.ts";'],
	["a folder without a layer", "app/new/a.ts", 'import { b } from "../orders/b.ts";'],
])("reports a forbidden import: %s", (_, path, text) => {
	expect(checkImports([file(path, text)])).toHaveLength(1);
});

test.each([
	["down", "app/payments/a.ts", 'import { b } from "../orders/b.ts";'],
	["of a lower store", "app/payments/a.ts", 'import { b } from "../orders/orders.store.server.ts";'],
	["inside a folder", "app/orders/search/a.ts", 'import { b } from "../orders.store.server.ts";'],
	["of a test", "app/orders/a.test.ts", 'import { b } from "../payments/b.ts"; import { c } from "../../test/shop.ts";'],
	["in a comment", "app/orders/a.ts", '// as in `import { b } from "../payments/b.ts"`'],
])("accepts an import: %s", (_, path, text) => {
	expect(checkImports([file(path, text)])).toEqual([]);
});

test.each([
	["changes another's table", "app/payments/a.server.ts", 'db.updateTable("orders").set({})'],
	["changes another's table in SQL", "app/payments/a.server.ts", "sql`delete from orders where id = 1`"],
	["reads a table from below", "app/orders/a.store.server.ts", 'db.selectFrom("refunds")'],
	["joins a table from below", "app/orders/a.store.server.ts", "sql`select from orders join payments on true`"],
])("reports misplaced SQL: %s", (_, path, text) => {
	expect(checkImports([file(path, text)])).toHaveLength(1);
});

test("accepts SQL that reads lower layers, and any table in the doctor", () => {
	expect(
		checkImports([
			file("app/payments/a.store.server.ts", "sql`select from payment_sessions join orders on true`"),
			file("app/doctor/a.server.ts", 'db.selectFrom("orders")'),
			file("app/orders/a.store.server.ts", 'db.insertInto("orders")'),
		]),
	).toEqual([]);
});
