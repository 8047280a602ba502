import { expect, test } from "vitest";
import { createSigner } from "./signing.ts";

const [first, second] = ["the first secret of this test, long enough", "the second secret of this test, long enough"];
const signer = createSigner([first]);

test("a signed text is verified for the same purpose only", () => {
	for (const text of ["", "a", "order.1\n2", "é 👍"]) {
		expect(signer.verify("link", signer.sign("link", text))).toBe(text);
		expect(signer.verify("cookie", signer.sign("link", text))).toBeNull();
	}
	// a purpose does not run over into the text
	expect(signer.verify("link", signer.sign("link\na", "b"))).toBeNull();
	expect(signer.verify("link\na", signer.sign("link", "a\nb"))).toBeNull();
});

test("an altered, cut or re-encoded token is invalid", () => {
	const token = signer.sign("link", "order 12");
	const [text, mac = ""] = token.split(".");
	const other = signer.sign("link", "order 13").split(".")[0];
	const swapped = (at: number) => token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
	const forged = [
		"",
		".",
		`${text}.`,
		`${text}`,
		`.${mac}`,
		`${other}.${mac}`,
		`${token}=`,
		`${token}.x`,
		` ${token}`,
		`${text}=.${mac}`,
		...Array.from(token, (_, at) => swapped(at)),
		...Array.from(mac, (_, kept) => `${text}.${mac.slice(0, kept)}`),
	];
	for (const wrong of forged) expect(signer.verify("link", wrong), wrong).toBeNull();
});

test("a new secret signs, the old one still verifies, a removed one does not", () => {
	const [before, during, after] = [createSigner([first]), createSigner([second, first]), createSigner([second])];
	expect(during.verify("link", before.sign("link", "a"))).toBe("a");
	expect(after.verify("link", during.sign("link", "a"))).toBe("a");
	expect(before.verify("link", during.sign("link", "a"))).toBeNull();
	expect(after.verify("link", before.sign("link", "a"))).toBeNull();
});

test("a derived secret is stable, and differs by purpose and by secret", () => {
	expect(createSigner([first]).derive("events")).toBe(signer.derive("events"));
	const all = [signer.derive("events"), signer.derive("other"), createSigner([second]).derive("events")];
	expect(new Set(all).size).toBe(3);
	// nobody gets one by having a text signed
	expect(all).not.toContain(Buffer.from(signer.sign("events", "events").split(".")[1] ?? "", "base64url").toString("hex"));
});

test("signing without a secret throws", () => {
	expect(() => createSigner([])).toThrow("needs a secret");
});
