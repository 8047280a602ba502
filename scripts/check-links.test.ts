import { expect, test } from "vitest";
import { checkLinks } from "./check-links.ts";

const check = (text: string, path = "app/orders/a.tsx") => checkLinks([{ path, text }]);

test.each([
	["in a page", 'export const A = () => <a href="/cgv">CGV</a>;'],
	["in a redirect", 'redirect("/suivi-commande", 303);'],
	["with a value", `const to = \`/suivi/\${number}\`;`],
	["behind the shop's URL", `const url = \`\${baseUrl}/documents/\${token}\`;`],
	["that was moved", 'export const A = () => <a href="/rgpd">RGPD</a>;'],
])("reports a link %s", (_, text) => {
	expect(check(text)).toHaveLength(1);
});

test.each([
	["href()", 'const to = href("/suivi/:number", { number });'],
	["absoluteUrl()", 'const url = absoluteUrl(baseUrl, "/documents/:token", { token });'],
	["a comment", "/** Answers `/cgv`. */"],
	["another path", 'readFileSync("/etc/passwd");'],
])("accepts %s", (_, text) => {
	expect(check(text)).toEqual([]);
});

test("accepts paths in tests", () => {
	expect(check('await shop.ask("/cgv");', "app/orders/a.test.ts")).toEqual([]);
});
