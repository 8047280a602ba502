import { expect, test } from "vitest";
import { movedPages } from "./moved-pages.ts";
import { loader } from "./redirects.ts";

const ask = (address: string) => loader({ request: new Request(`https://shop.example${address}`) } as Parameters<typeof loader>[0]);

test.each(Object.entries(movedPages))("%s has moved to %s for good", (from, to) => {
	const answer = ask(from);
	expect(answer.status).toBe(301);
	expect(answer.headers.get("location")).toBe(to);
});

test("the query comes along, and a final slash does not matter", () => {
	expect(ask("/old-commande/?service=express&siren=552032534").headers.get("location")).toBe("/commande?service=express&siren=552032534");
});
