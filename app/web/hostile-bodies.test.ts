import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createOperator, type TestOperator } from "../../test/operators.ts";
import { fillRoutePattern, listRoutePatterns } from "../../test/route-paths.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { getBodyLimits } from "./body-limits.ts";

// Bodies far beyond the limits (docs/rules.md, R175), to every route. bodies.test.ts has those at the limits.

let shop: TestShop;
let operator: TestOperator;
let log: string[] = [];
beforeAll(async () => {
	shop = await createTestShop({ variables: { LOG_LEVEL: "info" }, onLog: (line) => log.push(line) });
	operator = await createOperator(shop, "Ada", ["serve"]); // without one, the desk does not exist
});
beforeEach(() => {
	log = [];
});
afterAll(() => shop?.close());

const form = { "content-type": "application/x-www-form-urlencoded" };
const boundary = "----formulaire";
const multipart = { "content-type": `multipart/form-data; boundary=${boundary}` };
const part = (name: string, value = "x", more = "") =>
	`--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const parts = (count: number) => `${Array.from({ length: count }, (_, at) => part(`f${at}`)).join("")}--${boundary}--\r\n`;

const shapes: [string, Record<string, string>, string][] = [
	["a=b&", form, "a=b&".repeat(5000)],
	["a&", form, "a&".repeat(5000)],
	["%e9&", form, "%e9&".repeat(5000)],
	["multipart", multipart, parts(5000)],
];

test.each(shapes)("five thousand fields are refused by every route before it reads them: %s", async (_shape, headers, body) => {
	const isMultipart = headers === multipart;
	const patterns = listRoutePatterns();
	expect(patterns.length).toBeGreaterThan(100);
	for (const pattern of patterns) {
		const { isReadByRoute } = getBodyLimits(pattern, isMultipart);
		const path = fillRoutePattern(pattern);
		const answer = await shop.ask(path, { method: "POST", headers, body });
		// the door of what is read behind it is closed to strangers
		expect([pattern, answer.status]).toEqual([pattern, isReadByRoute ? 302 : 413]);
		await answer.arrayBuffer();
	}
	expect(log.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});

test("a file that is too large is refused to an operator, and everything else of its page goes on", async () => {
	const file = (bytes: number) => `${part("fichier", "x".repeat(bytes), '; filename="a.pdf"')}--${boundary}--\r\n`;
	const upload = (bytes: number) => operator.ask("/bureau/fichiers", { method: "POST", headers: multipart, body: file(bytes) });
	const refused = await upload(41 * 2 ** 20);
	expect([refused.status, await refused.text()]).toEqual([413, expect.stringContaining("Votre envoi est trop volumineux.")]);
	expect((await operator.ask("/bureau/fichiers")).status).toBe(200);
});
