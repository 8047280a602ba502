// npm run --silent sbom > sbom.json: lists the packages of a production shop as CycloneDX 1.6 (cyclonedx.org/docs/1.6/json).
// It reads package-lock.json only. npm's `npm sbom --omit dev` omits packages that tests need as well, such as pg.
import { readFileSync } from "node:fs";

interface LockedPackage {
	version?: string;
	license?: string;
	integrity?: string;
	dev?: boolean;
	optional?: boolean;
	dependencies?: Record<string, string>;
	optionalDependencies?: Record<string, string>;
	peerDependencies?: Record<string, string>;
	peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

export interface LockFile {
	name: string;
	version: string;
	packages: Record<string, LockedPackage>;
}

/** The paths of the packages that a package needs, without the optional companions that only its users choose (optional peers). */
export function listDependencies(packages: LockFile["packages"], path: string): string[] {
	const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = packages[path] ?? {};
	const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
	return Object.keys({ ...dependencies, ...optionalDependencies })
		.concat(peers)
		.flatMap((name) => findPackage(packages, path, name) ?? [])
		.filter((found) => !packages[found]?.dev);
}

/** The paths of all packages that the shop needs at run time. */
function findNeeded(packages: LockFile["packages"]): Set<string> {
	const found = new Set<string>();
	const queue = [""];
	for (let path = queue.pop(); path !== undefined; path = queue.pop())
		for (const dependency of listDependencies(packages, path)) {
			if (found.has(dependency)) continue;
			found.add(dependency);
			queue.push(dependency);
		}
	return found;
}

/** Lists the packages needed at run time, without development packages; those for other platforms are « optional ». */
export function createSbom({ name, version, packages }: LockFile) {
	const found = findNeeded(packages);
	const needed = Object.entries(packages).filter(([path]) => found.has(path));
	const getRef = (path: string) => (path === "" ? `${name}@${version}` : `${getName(path)}@${packages[path]?.version}`);
	const dependsOn = (path: string) => listDependencies(packages, path).map(getRef);
	const components = new Map<string, object>();
	const dependencies = new Map<string, Set<string>>([[getRef(""), new Set(dependsOn(""))]]);
	for (const [path, { version: found, license, integrity, optional }] of needed) {
		const ref = getRef(path);
		components.set(ref, {
			type: "library",
			"bom-ref": ref,
			name: getName(path),
			version: found,
			scope: optional ? "optional" : "required",
			purl: `pkg:npm/${getName(path).replace("@", "%40")}@${found}`,
			...(license && { licenses: [/ (OR|AND) /.test(license) ? { expression: license } : { license: { id: license } }] }),
			...(integrity && { hashes: integrity.split(" ").map(toHash) }),
		});
		dependencies.set(ref, new Set([...(dependencies.get(ref) ?? []), ...dependsOn(path)]));
	}
	return {
		bomFormat: "CycloneDX",
		specVersion: "1.6",
		version: 1,
		metadata: { component: { type: "application", "bom-ref": getRef(""), name, version, purl: `pkg:npm/${name}@${version}` } },
		components: [...components.values()],
		dependencies: [...dependencies].map(([ref, dependency]) => ({ ref, dependsOn: [...dependency].sort() })),
	};
}

const getName = (path: string) => path.split("node_modules/").at(-1) ?? path;

/** Finds a dependency as Node does: in the package's node_modules, or else in those of the folders above. */
export function findPackage(packages: LockFile["packages"], from: string, dependency: string): string | undefined {
	for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))) {
		const path = `${folder && `${folder}/`}node_modules/${dependency}`;
		if (packages[path]) return path;
		if (folder === "") return undefined;
	}
}

/** Converts « sha512-<base64> » (W3C Subresource Integrity) to CycloneDX. */
function toHash(integrity: string) {
	const [algorithm = "", content = ""] = integrity.split("-", 2);
	return { alg: algorithm.toUpperCase().replace("SHA", "SHA-"), content: Buffer.from(content, "base64").toString("hex") };
}

if (import.meta.main) console.log(JSON.stringify(createSbom(JSON.parse(readFileSync("package-lock.json", "utf8"))), null, 2));
