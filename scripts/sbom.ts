// npm run --silent sbom > sbom.json: the packages of a shop in production, as CycloneDX 1.6 (cyclonedx.org/docs/1.6/json).
// From package-lock.json alone: it works offline, and the same file gives the same bytes. npm's own `npm sbom --omit dev` leaves out
// what a package of the tests needs too, such as pg.
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

/** Lists what is needed to run: packages for the tests and for development are left out, those for other machines are « optional ». */
export function createSbom({ name, version, packages }: LockFile) {
	const needed = Object.entries(packages).filter(([path, { dev }]) => path !== "" && !dev);
	const refOf = (path: string) => (path === "" ? `${name}@${version}` : `${nameOf(path)}@${packages[path]?.version}`);
	const dependsOn = (path: string) => {
		const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {};
		return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
			.map((wanted) => findPackage(packages, path, wanted))
			.filter((found) => found !== undefined && !packages[found]?.dev)
			.map((found) => refOf(found as string));
	};
	const components = new Map<string, object>();
	const dependencies = new Map<string, Set<string>>([[refOf(""), new Set(dependsOn(""))]]);
	for (const [path, { version: found, license, integrity, optional }] of needed) {
		const ref = refOf(path);
		components.set(ref, {
			...{ type: "library", "bom-ref": ref, name: nameOf(path), version: found, scope: optional ? "optional" : "required" },
			purl: `pkg:npm/${nameOf(path).replace("@", "%40")}@${found}`,
			...(license && { licenses: [/ (OR|AND) /.test(license) ? { expression: license } : { license: { id: license } }] }),
			...(integrity && { hashes: integrity.split(" ").map(toHash) }),
		});
		dependencies.set(ref, new Set([...(dependencies.get(ref) ?? []), ...dependsOn(path)]));
	}
	return {
		...{ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 },
		metadata: { component: { type: "application", "bom-ref": refOf(""), name, version, purl: `pkg:npm/${name}@${version}` } },
		components: [...components.values()],
		dependencies: [...dependencies].map(([ref, wanted]) => ({ ref, dependsOn: [...wanted].sort() })),
	};
}

const nameOf = (path: string) => path.split("node_modules/").at(-1) ?? path;

/** Where Node finds a package that another one asks for: in its own node_modules, else in those of the folders above. */
export function findPackage(packages: LockFile["packages"], from: string, wanted: string): string | undefined {
	for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))) {
		const path = `${folder && `${folder}/`}node_modules/${wanted}`;
		if (packages[path]) return path;
		if (folder === "") return undefined;
	}
}

/** « sha512-<base64> » (W3C Subresource Integrity) as CycloneDX writes it. */
function toHash(integrity: string) {
	const [algorithm = "", content = ""] = integrity.split("-", 2);
	return { alg: algorithm.toUpperCase().replace("SHA", "SHA-"), content: Buffer.from(content, "base64").toString("hex") };
}

if (import.meta.main) console.log(JSON.stringify(createSbom(JSON.parse(readFileSync("package-lock.json", "utf8"))), null, 2));
