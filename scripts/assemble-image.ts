// node scripts/assemble-image.ts <folder>: copies what the built shop needs to run into a folder, as the Dockerfile does. Needs `node scripts/build.ts` first.
// What is needed is read from the code: the files that main.ts reaches, the packages that these and the build import, and the packages that
// those ask for. Tests, tools of the build and the embedded PostgreSQL are none of them.
import { cpSync, existsSync, globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { findPackage, type LockFile } from "./sbom.ts";

/** Where the shop starts: main.ts is every role and command, run.mjs is what `npm run` calls, the third is the health check of `jobs`. */
const programs = ["main.ts", "run.mjs", "server/check-jobs.ts"];

/** Read at run time without being imported: what was built, the schema, and the data that the sample and the nomenclatures come from. */
const wholeFolders = ["build/server", "build/client", "build/complete", "db/migrations", "data"];

/** Only `main.ts --dev` imports it. */
const developmentOnly = new Set(["vite"]);

export interface ImageContents {
	/** Files and folders of the repository. */
	files: string[];
	/** Folders below node_modules. */
	packages: string[];
}

/** @returns what the image holds. Throws where code imports a package that package-lock.json has not. */
export function listImage(): ImageContents {
	const reached = new Set<string>();
	const wanted = new Set<string>();
	const follow = (file: string): void => {
		if (reached.has(file)) return;
		reached.add(file);
		for (const specifier of /\.(ts|mjs|js)$/.test(file) ? specifiersIn(readFileSync(file, "utf8")) : []) {
			if (specifier.startsWith(".")) follow(posix.join(dirname(file), specifier));
			else if (specifier.startsWith("#")) for (const named of globSync(specifier.slice(1))) follow(named);
			else if (!specifier.startsWith("node:") && !existsSync(nameOf(specifier))) wanted.add(nameOf(specifier)); // path.resolve names folders of ours
		}
	};
	for (const program of programs) follow(program);
	for (const built of readdirSync("build/server", { recursive: true, encoding: "utf8" }))
		if (built.endsWith(".js")) follow(posix.join("build/server", built));
	const isInFolder = (file: string) => wholeFolders.some((folder) => file.startsWith(`${folder}/`));
	return {
		files: ["package.json", ...wholeFolders, ...[...reached].filter((file) => !isInFolder(file))].sort(),
		packages: withTheirOwn([...wanted].filter((name) => !developmentOnly.has(name))),
	};
}

/**
 * What code imports, and what it has Node find for it (`resolve`). A star stands for what only the running code knows.
 * Types leave no import behind.
 */
function specifiersIn(code: string): string[] {
	const values = code.replace(/^(import|export) type [^;]*;/gm, "");
	const found = values.matchAll(/(?:\bfrom|\bimport|\bresolve)\s*\(?\s*(["`])([#@.\w][^"`\s]*)\1/g);
	return [...found]
		.map(([, , specifier = ""]) => specifier.replace(/\$\{[^}]*\}/g, "*"))
		.filter((specifier) => !/^[^#]*\*/.test(nameOf(specifier)));
}

const nameOf = (specifier: string) =>
	specifier
		.split("/")
		.slice(0, specifier.startsWith("@") ? 2 : 1)
		.join("/");

/** The packages and those that they ask for, as npm has installed them here: what is made for other machines is not there. */
function withTheirOwn(names: readonly string[]): string[] {
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
		for (const own of Object.keys({ ...dependencies, ...peerDependencies }))
			add(own, path, own in optionalDependencies || peerDependenciesMeta[own]?.optional === true);
		for (const own of Object.keys(optionalDependencies)) add(own, path, true);
	};
	for (const name of names) add(name, "", false);
	return [...found].sort();
}

/** Copies the image's contents into a folder. Times are kept: `run.mjs` compares them to see that nothing is to be built. */
export function assembleImage(folder: string): void {
	const { files, packages } = listImage();
	for (const file of files) cpSync(file, join(folder, file), { recursive: true, preserveTimestamps: true });
	for (const path of packages) {
		const nested = join(path, "node_modules");
		const filter = (source: string) => source !== nested && !(statSync(source).isFile() && isForReadersOnly(source));
		cpSync(path, join(folder, path), { recursive: true, preserveTimestamps: true, filter });
	}
}

/** Types and source maps of packages. */
const isForReadersOnly = (file: string) => /\.(map|d\.[cm]?ts)$/.test(file);

if (import.meta.main) {
	const [folder] = process.argv.slice(2);
	if (folder === undefined) throw new Error("Usage: node scripts/assemble-image.ts <folder>");
	assembleImage(folder);
}
