import { dirname, join } from "node:path/posix";
import { parseSync } from "oxc-parser";
import { readSources, type SourceFile } from "./check-imports.ts";

/** What Vite replaces: Node knows neither. */
const ofVite = /\bimport\.meta\.(env|glob|hot)\b|["']virtual:|\.\w+\?[\w-]+["']/;

/**
 * Finds the modules that only the build can load: React (.tsx), what Vite replaces, and what imports them, also later by `import()`.
 * Node runs all others as they are; the build imports them from their sources, so that a process has one copy of each.
 */
export function findBundled(files: readonly SourceFile[] = readSources()): Set<string> {
	const modules = files.filter(({ path }) => /^(app|server)\/.*\.tsx?$/.test(path) && !/\.(test|d)\.ts$/.test(path));
	const bundled = new Set(modules.filter(({ path, text }) => path.endsWith(".tsx") || ofVite.test(text)).map(({ path }) => path));
	const importers = new Map<string, string[]>();
	for (const { path, text } of modules)
		for (const target of listValueImports(path, text)) importers.set(target, [...(importers.get(target) ?? []), path]);
	// a set also iterates over what is added meanwhile
	for (const path of bundled) for (const importer of importers.get(path) ?? []) bundled.add(importer);
	return bundled;
}

/** The project's files that a module imports, without those that give it types only. */
function listValueImports(path: string, text: string): string[] {
	const { module } = parseSync(path, text);
	const fixed = module.staticImports
		.filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
		.map(({ moduleRequest }) => moduleRequest.value);
	const passedOn = module.staticExports.flatMap(({ entries }) =>
		entries.flatMap(({ isType, moduleRequest }) => (isType ? [] : (moduleRequest?.value ?? []))),
	);
	const later = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
		const [, literal] = /^["'`]([^"'`$]+)["'`]$/.exec(text.slice(start, end)) ?? [];
		return literal === undefined ? [] : [literal];
	});
	return [...fixed, ...passedOn, ...later].flatMap((specifier) => {
		if (specifier.startsWith("#")) return specifier.slice(1);
		return specifier.startsWith(".") ? join(dirname(path), specifier) : [];
	});
}
