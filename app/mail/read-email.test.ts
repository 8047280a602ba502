import fc from "fast-check";
import { expect, test } from "vitest";
import { email as stripeRule } from "../../test/fakes/stripe/parameters.ts";
import { isEmail, toAsciiEmail } from "./email-address.ts";
import { readEmail } from "./read-email.server.ts";

test.each([
	["ada@xn--socit-esab.fr", "ada@société.fr"],
	["ada@xn--e1afmkfd.xn--p1ai", "ada@пример.рф"],
	["ada@XN--SOCIT-ESAB.fr", "ada@société.fr"],
	["ada@société.fr", "ada@société.fr"],
	["ada@xn--$.fr", "ada@xn--$.fr"],
	["Ada <ada@exemple.fr>", "ada@exemple.fr"],
	["xn--a@exemple.fr", "xn--a@exemple.fr"],
])("%s is written %s", (typed, written) => {
	expect(readEmail(typed)).toBe(written);
});

const sign = fc.constantFrom(..."abz019.-_+'@ ,;éßœ\u200d＠".split(""), "société", "xn--", "пример");
const likeEmails = fc.oneof(
	fc.emailAddress(),
	fc
		.tuple(fc.string({ unit: sign, maxLength: 12 }), fc.string({ unit: sign, maxLength: 12 }), fc.constantFrom("fr", "com", "рф", "12"))
		.map(([localPart, domain, ending]) => `${localPart}@${domain}.${ending}`),
);

test("each accepted address passes the provider's rule in ASCII, and is read as itself", () => {
	fc.assert(
		fc.property(likeEmails, (typed) => {
			const email = readEmail(typed);
			fc.pre(isEmail(email));
			expect(() => stripeRule(toAsciiEmail(email), "customer_email")).not.toThrow();
			expect(readEmail(email)).toBe(email);
			expect(readEmail(toAsciiEmail(email)).toLowerCase()).toBe(email.toLowerCase());
		}),
		{ numRuns: 2_000 },
	);
});
