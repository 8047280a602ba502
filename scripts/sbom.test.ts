import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createSbom, type LockFile } from "./sbom.ts";

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const lock: LockFile = read("package-lock.json");
const sbom = createSbom(lock);
const refs = sbom.components.map((component) => (component as { "bom-ref": string })["bom-ref"]);

test("lists the packages of production with versions, without those of tests", () => {
	const { dependencies, devDependencies } = read("package.json");
	for (const [name, version] of Object.entries(dependencies)) expect(refs).toContain(`${name}@${version}`);
	for (const name of ["smtp-server", "vitest", "@playwright/test"]) expect(refs).not.toContain(`${name}@${devDependencies[name]}`);
});

test("lists each package once with its hash, and only dependencies that are listed", () => {
	expect(new Set(refs).size).toBe(refs.length);
	for (const component of sbom.components)
		expect(component).toMatchObject({
			purl: expect.stringMatching(/^pkg:npm\/(%40[^@/]+\/)?[^@/]+@\d/),
			hashes: [{ alg: "SHA-512", content: expect.stringMatching(/^[\da-f]{128}$/) }],
		});
	const root = sbom.metadata.component["bom-ref"];
	expect(sbom.dependencies.map(({ ref }) => ref).sort()).toEqual([root, ...refs].sort());
	for (const { dependsOn } of sbom.dependencies) expect(refs).toEqual(expect.arrayContaining(dependsOn));
});

test("finds a package as Node does", () => {
	const packages = {
		"": { dependencies: { a: "1", b: "1" } },
		"node_modules/a": { version: "1.0.0", dependencies: { b: "2", "@x/c": "1" }, license: "(MIT OR GPL-3.0)" },
		"node_modules/a/node_modules/b": { version: "2.0.0", dependencies: { "@x/c": "1", unmet: "1" } },
		"node_modules/b": { version: "1.0.0", peerDependencies: { t: "1" } },
		"node_modules/@x/c": { version: "1.0.0", optional: true },
		"node_modules/t": { version: "1.0.0", dev: true },
	};
	const small = createSbom({ name: "shop", version: "1.2.3", packages });
	expect(small.dependencies).toEqual([
		{ ref: "shop@1.2.3", dependsOn: ["a@1.0.0", "b@1.0.0"] },
		{ ref: "a@1.0.0", dependsOn: ["@x/c@1.0.0", "b@2.0.0"] },
		{ ref: "b@2.0.0", dependsOn: ["@x/c@1.0.0"] },
		{ ref: "b@1.0.0", dependsOn: [] },
		{ ref: "@x/c@1.0.0", dependsOn: [] },
	]);
	expect(small.components[0]).toMatchObject({ licenses: [{ expression: "(MIT OR GPL-3.0)" }], scope: "required" });
	expect(small.components.at(-1)).toMatchObject({ "bom-ref": "@x/c@1.0.0", scope: "optional", purl: "pkg:npm/%40x/c@1.0.0" });
});
