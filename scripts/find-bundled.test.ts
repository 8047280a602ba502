import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { expect, test } from "vitest";
import type * as Bundle from "../app/bundle.ts";
import { jobKinds } from "../app/job-kinds.ts";
import { findBundled } from "./find-bundled.ts";

const find = (files: Record<string, string>) => [...findBundled(Object.entries(files).map(([path, text]) => ({ path, text })))].sort();

test.each<[what: string, source: string, isBundled: boolean]>([
	["nothing", "export const a = 1;", false],
	["a package", 'import { useState } from "react";', false],
	["React", 'import { Page } from "./page.tsx";', true],
	["React later", 'const load = () => import("./page.tsx");', true],
	["what it passes on from React", 'export { Page } from "./page.tsx";', true],
	["what imports React", 'import { draw } from "./draw.ts";', true],
	["React by a name of the package", 'import { Page } from "#app/page.tsx";', true],
	["a type of React", 'import type { Props } from "./page.tsx"; export type { Props } from "./page.tsx";', false],
	["types among its names", 'import { type Props } from "./page.tsx";', false],
	["a type and a value of React", 'import { Page, type Props } from "./page.tsx";', true],
	["Vite's environment", "if (import.meta.env.PROD) start();", true],
	["files by a pattern", 'import.meta.glob("./*.md");', true],
	["the URL of a file", 'import url from "./a.css?url";', true],
	["a virtual module", 'await import("virtual:react-router/server-build");', true],
	["its own folder", "export const here = import.meta.dirname;", false],
])("a module that uses %s", (_what, source, isBundled) => {
	const files = { "app/page.tsx": "export const Page = () => null;", "app/draw.ts": 'import "./page.tsx";', "app/a.ts": source };
	expect(find(files).includes("app/a.ts")).toBe(isBundled);
});

test("modules that import each other are bundled together", () => {
	const circle = { "server/a.ts": 'import "./b.ts";', "server/b.ts": 'import "./a.ts"; import "../app/c.tsx";', "app/c.tsx": "" };
	expect(find(circle)).toEqual(["app/c.tsx", "server/a.ts", "server/b.ts"]);
	expect(find({ "app/a.test.ts": 'import "./c.tsx";', "test/b.ts": 'import "../app/c.tsx";', "app/c.tsx": "" })).toEqual(["app/c.tsx"]);
});

const bundled = findBundled();

test("the build imports from the sources what it does not hold", () => {
	const imported = globSync("build/server/**/*.js").flatMap((file) =>
		[...readFileSync(file, "utf8").matchAll(/["']#((?:app|server)\/[^"']+\.ts)["']/g)].map(([, path = ""]) => path),
	);
	expect(new Set(imported).size).toBeGreaterThan(100);
	expect(imported.filter((path) => bundled.has(path) || !existsSync(path))).toEqual([]);
});

const loadedWith = /^(?:import|export) (?!type )(?:[^;]* from )?"(\.[^"?]+)";$/gm;
const loadedLater = /\bimport\("(\.[^"]+)"\)/g;

/** The modules that some modules import, and those that these import. */
function listReached(paths: readonly string[], patterns: readonly RegExp[], reached = new Set<string>()): Set<string> {
	for (const path of paths) {
		if (reached.has(path)) continue;
		reached.add(path);
		const text = /\.tsx?$/.test(path) ? readFileSync(path, "utf8") : "";
		const found = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, specifier = ""]) => join(dirname(path), specifier)));
		listReached(found, patterns, reached);
	}
	return reached;
}

test("the program loads no module that the build holds", () => {
	const routes = globSync("app/routes/**/*.{ts,tsx}").filter((path) => !path.includes(".test."));
	const build = listReached(["app/bundle.ts", "app/root.tsx", "app/entry.server.tsx", ...routes], [loadedWith, loadedLater]);
	const program = listReached(["main.ts"], [loadedWith]);
	for (const known of [build, program]) expect(known).toContain("server/database/database.ts");
	expect(build).toContain("app/content/texts.ts");
	expect([...program].filter((path) => build.has(path) && bundled.has(path))).toEqual([]);
});

test("a test and the built shop have the same modules", async () => {
	const bundle: typeof Bundle = await import("../build/server/index.js" as string);
	expect(bundle.jobKinds).toBe(jobKinds);
});
