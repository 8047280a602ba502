import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const lock: { packages: Record<string, { optionalDependencies?: object }> } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const image = readFileSync("Dockerfile", "utf8");

/** The parts of a package that are made for one machine each, of which npm installs the one that fits. */
const machineParts = (name: string) =>
	Object.keys(lock.packages[`node_modules/${name}`]?.optionalDependencies ?? {}).filter((part) => part.startsWith(`${name}-`));

test("the image keeps what the built shop loads, also what is made for its machine, which npm calls optional", () => {
	const built = readdirSync("build/server", { recursive: true, encoding: "utf8" })
		.filter((file) => file.endsWith(".js"))
		.map((file) => readFileSync(`build/server/${file}`, "utf8"));
	const loaded = new Set(
		built.flatMap((code) => [...code.matchAll(/\b(?:from|import)\s*"((?:@[\w-]+\/)?[\w-]+)/g)].map(([, name = ""]) => name)),
	);
	expect([...loaded].filter((name) => machineParts(name).length > 1)).toEqual(["@resvg/resvg-js"]);
	expect(image).not.toMatch(/^[^#]*--omit=optional/m);
});
