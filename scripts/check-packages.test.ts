import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { acceptedLicences, checkPackages } from "./check-packages.ts";

const locked = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
const withNew = (license: string | undefined, more: object = {}) =>
	checkPackages({ ...locked, "node_modules/a/node_modules/@new/one": { version: "1.2.3", license, ...more } });

test("the project has only accepted packages", () => {
	expect(checkPackages()).toEqual([]);
	for (const { why } of acceptedLicences) expect(why).toMatch(/\w{3}/);
});

test.each(["MIT", "(MIT OR GPL-3.0)", "MIT OR Apache-2.0", "(MIT AND Zlib)", "BSD-3-Clause"])("accepts %s", (license) => {
	expect(withNew(license)).toEqual([]);
});

test.each(["GPL-3.0", "AGPL-3.0-only", "MPL-2.0", "EUPL-1.2", "(MIT AND GPL-2.0)", "SEE LICENSE IN LICENSE", "UNLICENSED", undefined])(
	"%s stops the check",
	(license) => {
		expect(withNew(license)).toEqual([expect.stringContaining(`@new/one 1.2.3 has the licence « ${license ?? "none"} »`)]);
	},
);

test("a package that states no licence has one in its file", () => {
	const silent = acceptedLicences.filter(({ licence }) => licence === "none");
	expect(silent.map(({ packages }) => String(packages))).toEqual(["/^png-js$/"]);
	expect(readFileSync("node_modules/png-js/LICENSE", "utf8")).toContain("Permission is hereby granted, free of charge");
});

test("the documents say what each licence asks of us that is not permissive", () => {
	const text = readFileSync("docs/deployment.md", "utf8");
	for (const { licence } of acceptedLicences) if (licence !== "none") expect(text).toContain(`| ${licence} |`);
});

test("reports a package with an install script", () => {
	expect(withNew("MIT", { hasInstallScript: true })).toEqual([expect.stringContaining("@new/one 1.2.3 has an install script")]);
	expect(readFileSync(".npmrc", "utf8")).toMatch(/^ignore-scripts=true$/m);
});

test("reports an unused acceptance", () => {
	const { "node_modules/png-js": _, ...rest } = locked;
	expect(checkPackages(rest)).toEqual([expect.stringContaining("png-js")]);
});

test("git ignores files with settings", () => {
	const ignored = readFileSync(".gitignore", "utf8").split("\n");
	expect(ignored).toEqual(expect.arrayContaining([".env", ".env.*", "!.env.example"]));
});
