// node scripts/assemble-image.ts <folder>: copies the files that the built shop needs into a folder. Run `node scripts/build.ts` first.
// It follows imports from the programs below to files and packages; tests, build tools and the embedded PostgreSQL are excluded.
import { cpSync, existsSync, globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { findPackage, type LockFile } from "./sbom.ts";

/** main.ts has all roles and commands, run.mjs serves `npm run`, the third is the health check of `jobs`. */
const programs = ["main.ts", "run.mjs", "server/check-jobs.ts"];

/** Folders that are read at run time without an import. */
const runtimeFolders = ["build/server", "build/client", "build/complete", "db/migrations", "data"];

export interface ImageContents {
	/** Files and folders of the repository. */
	files: string[];
	/** Folders below node_modules. */
	packages: string[];
}

/** @returns the contents of the image. @throws when code imports a package that is not installed. */
export function listImage(): ImageContents {
	const visited = new Set<string>();
	const packageNames = new Set<string>();
	const follow = (file: string): void => {
		if (visited.has(file)) return;
		visited.add(file);
		for (const specifier of /\.(ts|mjs|js)$/.test(file) ? listSpecifiers(readFileSync(file, "utf8")) : []) {
			if (specifier.startsWith(".")) follow(posix.join(dirname(file), specifier));
			else if (specifier.startsWith("#")) for (const named of globSync(specifier.slice(1))) follow(named);
			else if (!specifier.startsWith("node:") && !existsSync(getPackageName(specifier))) packageNames.add(getPackageName(specifier)); // path.resolve also names folders of the repository
		}
	};
	for (const program of programs) follow(program);
	for (const built of readdirSync("build/server", { recursive: true, encoding: "utf8" }))
		if (built.endsWith(".js")) follow(posix.join("build/server", built));
	const isInFolder = (file: string) => runtimeFolders.some((folder) => file.startsWith(`${folder}/`));
	return {
		files: ["package.json", ...runtimeFolders, ...[...visited].filter((file) => !isInFolder(file))].sort(),
		packages: addDependencies([...packageNames]),
	};
}

/**
 * Lists the specifiers of imports and of `resolve`, without comments, type imports and the `.from(…)` of a query. A star replaces values known only
 * at run time.
 */
function listSpecifiers(code: string): string[] {
	const values = code.replace(/^\s*(\*|\/[/*]).*$|^(import|export) type [^;]*;/gm, "");
	const found = values.matchAll(/(?:(?<!\.)\bfrom|\bimport|\bresolve)\s*\(?\s*(["`])([#@.\w][^"`\s]*)\1/g);
	return [...found]
		.map(([, , specifier = ""]) => specifier.replace(/\$\{[^}]*\}/g, "*"))
		.filter((specifier) => !/^[^#]*\*/.test(getPackageName(specifier)));
}

const getPackageName = (specifier: string) =>
	specifier
		.split("/")
		.slice(0, specifier.startsWith("@") ? 2 : 1)
		.join("/");

/** Adds the dependencies of packages, as installed here, without those for other platforms. */
function addDependencies(names: readonly string[]): string[] {
	const { packages }: LockFile = JSON.parse(readFileSync("package-lock.json", "utf8"));
	const found = new Set<string>();
	const add = (name: string, from: string, isOptional: boolean): void => {
		const path = findPackage(packages, from, name);
		if (path === undefined || !existsSync(path)) {
			if (isOptional) return;
			throw new Error(`${from || "the shop"} imports ${name}, which is not installed`);
		}
		if (found.has(path)) return;
		found.add(path);
		const { dependencies, optionalDependencies = {}, peerDependencies, peerDependenciesMeta = {} } = packages[path] ?? {};
		// an optional peer that the shop uses is a dependency of the shop itself
		const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta[name]?.optional !== true);
		for (const dependency of [...Object.keys(dependencies ?? {}), ...peers]) add(dependency, path, dependency in optionalDependencies);
		for (const dependency of Object.keys(optionalDependencies)) add(dependency, path, true);
	};
	for (const name of names) add(name, "", false);
	return [...found].sort();
}

/** Copies the image's contents into a folder with their timestamps, which `run.mjs` compares to decide whether to build. */
export function assembleImage(folder: string): void {
	const { files, packages } = listImage();
	for (const file of files) cpSync(file, join(folder, file), { recursive: true, preserveTimestamps: true });
	for (const path of packages) {
		const nested = join(path, "node_modules");
		const filter = (source: string) => source !== nested && !(statSync(source).isFile() && isDocumentation(source));
		cpSync(path, join(folder, path), { recursive: true, preserveTimestamps: true, filter });
	}
}

/** Type declarations and source maps. */
const isDocumentation = (file: string) => /\.(map|d\.[cm]?ts)$/.test(file);

if (import.meta.main) {
	const [folder] = process.argv.slice(2);
	if (folder === undefined) throw new Error("Usage: node scripts/assemble-image.ts <folder>");
	assembleImage(folder);
}
