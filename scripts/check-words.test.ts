import { expect, test } from "vitest";
import { checkWords } from "./check-words.ts";

const check = (text: string, path = "app/a.ts") => checkWords([{ path, text }]);

test.each([
	["a name", "export const orderPatience = 1;"],
	["a name in capitals", "export class StandIn {}"],
	["the name of a type", "interface Told {}"],
	["the name of a type with several words", "interface OrderPageShown {}"],
	["a comment of two lines", "/**\n * The sign of\n * life. */"],
	["a comment", "/** The stand-in of Stripe. */"],
	["a test title", "test('settles the payment', () => {});"],
	["a title of test.each", "test.each([])('whoever pays', () => {});"],
	["a title with a value", "test(`whoever pays`, () => {});"],
	["a file name", "", "test/stand-in.ts"],
	["a document of two lines", "A table of its\nown.", "docs/a.md"],
	["a document", "A table of its own.", "docs/a.md"],
])("refuses a private word in %s", (_, text, path?: string) => {
	expect(check(text, path)).toHaveLength(1);
});

test.each([
	["a variable", "const found = [];"],
	["a code that a document quotes", "The job `wake-orders`.", "docs/a.md"],
	["a French text", "export const text = 'Merci de votre patience.';"],
	["another word that begins alike", "export const standing = 1; // arrivals, patient"],
	["a settled promise", "await Promise.allSettled([]); // settled in any order"],
])("accepts %s", (_, text, path?: string) => {
	expect(check(text, path)).toEqual([]);
});
