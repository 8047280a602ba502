// The rules of docs/architecture.md, « Rooms », as part of npm run check.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { parseSync } from "oxc-parser";

/**
 * From top to bottom, and in a line from left to right: a room imports only rooms after it. « app » are the files directly in app/, which
 * start the shop and put it together, and may import any room.
 */
const layers = [
	["app/commands", "app", "app/routes"],
	["app/desk"],
	["app/customer", "app/books", "app/web"],
	["app/checkout", "app/payments", "app/fulfilment"],
	["app/emails", "app/orders"],
	["app/companies", "app/content", "app/mail"],
	["app/ui", "app/catalogue"],
	["server", "server/environment", "server/database", "server/observability", "server/types"],
] as const;

/** The shop as one object, and the names of jobs: every room may import these two files, which start nothing. */
const everywhere: readonly string[] = ["app/shop.ts", "app/job-kinds.ts"];

const order: readonly string[] = layers.flat();

export interface SourceFile {
	path: string;
	text: string;
}

/** @returns a sentence for each import or statement that breaks a rule. */
export function checkImports(files: readonly SourceFile[] = readSources()): string[] {
	return [...files.flatMap(wrongImports), ...wrongTables(files)];
}

/** The project's own code. */
export function readSources(): SourceFile[] {
	return globSync("{*,{app,server,db,test,e2e,proof,scripts,deploy,docs}/**/*}.{ts,tsx,mjs}").map((path) => ({
		path: path.replaceAll("\\", "/"),
		text: readFileSync(path, "utf8"),
	}));
}

export const isProduction = (path: string) => /^(app|server)\/|^main\.ts$/.test(path) && !path.includes(".test.");

function wrongImports({ path, text }: SourceFile): string[] {
	return listImports(path, text).flatMap((target) => {
		const reason = findBrokenRule(path, target);
		return reason === null ? [] : [`${path} imports ${target}: ${reason}`];
	});
}

/** Repository paths of the project's files that a file imports, also by `#app/`, `import()` and `export from`. */
function listImports(path: string, text: string): string[] {
	const { module } = parseSync(path, text);
	const dynamic = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
		const [, literal] = /^["'`]([^"'`$]+)["'`]$/.exec(text.slice(start, end)) ?? [];
		return literal === undefined ? [] : [literal];
	});
	const fixed = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
	const passedOn = module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []));
	return [...new Set([...fixed, ...dynamic, ...passedOn])].flatMap((specifier) => {
		if (specifier.startsWith("#")) return specifier.slice(1);
		if (!specifier.startsWith(".") || specifier.includes("/+types/")) return [];
		return join(dirname(path), specifier.replace(/\?.*$/, ""));
	});
}

/** @returns the rule that an import breaks, or null. */
function findBrokenRule(path: string, target: string): string | null {
	if (!/^(app|server|test|e2e|proof)\//.test(target)) return null;
	if (isProduction(path) && /^(test|e2e|proof)\//.test(target)) return "production code imports nothing that only tests use";
	if (path.startsWith("server/") && target.startsWith("app/")) return "server/ imports nothing of app/";
	const [from, to] = [getRoom(path), getRoom(target)];
	if (!isProduction(path) || from === to || from === "app" || path === "main.ts" || everywhere.includes(target)) return null;
	const [own, other] = [order.indexOf(from), order.indexOf(to)];
	if (own < 0) return `${from} is no room of scripts/check-imports.ts`;
	return other > own ? null : `${from} does not stand before ${to}`;
}

/** The longest row of `order` that a path is in; « app » for a file directly in app/. */
function getRoom(path: string): string {
	const [root = "", folder = "", file] = path.split("/");
	return file !== undefined && (root === "app" || order.includes(`${root}/${folder}`)) ? `${root}/${folder}` : root;
}

/** Statements that change a table, in Kysely and in SQL. */
const changes = [
	/\b(?:insertInto|updateTable|deleteFrom)\(\s*["'`]([\w.]+)/g,
	/\b(?:insert into|delete from|update|truncate)\s+((?:[a-z]+\.)?[a-z_]+)\b/g,
];

/** Each table is changed by files of one room; others read it, or call that room. */
function wrongTables(files: readonly SourceFile[]): string[] {
	const tables = new Set(
		[...readFileSync("server/database/database-types.gen.ts", "utf8").matchAll(/^\s+"?([\w.]+)"?: [A-Z]\w+;$/gm)].map(
			([, name = ""]) => name,
		),
	);
	const changers = new Map<string, Map<string, string>>();
	for (const { path, text } of files) {
		if (!isProduction(path) || !/\.tsx?$/.test(path) || path.endsWith(".gen.ts")) continue;
		for (const [, table = ""] of changes.flatMap((pattern) => [...text.matchAll(pattern)]))
			if (tables.has(table)) changers.set(table, (changers.get(table) ?? new Map()).set(getRoom(path), path));
	}
	return [...changers]
		.filter(([, rooms]) => rooms.size > 1)
		.map(([table, rooms]) => `${table} is changed in more than one room: ${[...rooms.values()].join(", ")}`);
}
