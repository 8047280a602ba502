import { expect, test } from "vitest";
import { describeFileOrigin, readFingerprint } from "./file-origin.ts";

const sha256 = "0123456789abcdef".repeat(4);

test.each([
	sha256,
	`  ${sha256.toUpperCase()}\n`,
	`${sha256}  recu du greffe.pdf`,
	`SHA256          ${sha256.toUpperCase()}       C:\\Users\\Ada\\extrait.pdf`,
	`SHA256 (extrait.pdf) = ${sha256}`,
	(sha256.match(/../g) ?? []).join(" "),
	(sha256.match(/../g) ?? []).join(":"),
	(sha256.match(/.{8}/g) ?? []).join(" "),
])("the fingerprint is read from « %s »", (typed) => {
	expect(readFingerprint(typed)).toBe(sha256);
});

test.each(["", "abc", sha256.slice(1), `${sha256}0`, sha256.replace("0", "g"), `${" ".repeat(2000)}${sha256}`])(
	"« %s » is no fingerprint",
	(typed) => {
		expect(readFingerprint(typed)).toBeNull();
	},
);

test("each answer says who delivered the file, and when", () => {
	const describe = (...args: Parameters<typeof describeFileOrigin>) => {
		const { kind, title } = describeFileOrigin(...args);
		return [kind, title.replaceAll("\u00a0", " ")];
	};
	expect(describe({ known: true, deliveredOn: "2026-11-01", replacedOn: null }, "ExtraitPro")).toEqual([
		"done",
		"Fichier intact, livré par ExtraitPro le 1er novembre 2026",
	]);
	expect(describe({ known: true, deliveredOn: "2026-11-20", replacedOn: "2026-11-22" }, "ExtraitPro")).toEqual([
		"warning",
		"Livré par ExtraitPro le 20 novembre 2026, puis remplacé le 22 novembre 2026",
	]);
	expect(describe({ known: false }, "ExtraitPro")).toEqual(["failed", "Inconnu : ExtraitPro n’a pas livré ce fichier"]);
});
