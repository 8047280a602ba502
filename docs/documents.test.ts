import { spawn } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toParisDay } from "../app/catalogue/settings/days-off.ts";
import { addDays } from "../app/companies/bulletin/import/coverage.ts";
import { loadCommand } from "../app/run-program.ts";
import { benchNames } from "../proof/bench/names.ts";
import { parseDatabaseUrl } from "../server/database/primary.ts";
import { parseEnvironment } from "../server/environment/environment.ts";
import { parseProgramArguments } from "../server/start/program-arguments.ts";
import { createTestDatabase } from "../test/database.ts";
import { startFakeBulletin } from "../test/fakes/bulletin.ts";
import { modification, toCsv, toJsonLines, unmarkedNotices } from "../test/fixtures/bulletin.ts";
import { after, before, changedUnits, fakeInseeKey, startFakeInsee } from "../test/fixtures/insee.ts";
import { establishmentFile, type Row, unitFile } from "../test/fixtures/sirene.ts";
import { freePort } from "../test/free-port.ts";
import { toDatabaseUrl, withClient } from "../test/postgres.ts";
import { getUserEnvironment, killGroup } from "../test/processes.ts";
import { scaledTimeout } from "../test/time-limits.ts";

/**
 * Runs each command that the documents name, as written there (see `withoutNpm`), on a separate shop. A new command needs a row
 * in `trials`; delete the row of a command that no document names.
 */
const documents = ["README.md", "CONTRIBUTING.md", "STYLE.md", "data/README.md", ...globSync("docs/**/*.md")];

/**
 * The trial of each command, or the command whose trial covers it. For a long one, the trial shows that another test runs it.
 */
const trials: Record<string, (() => unknown) | string> = {
	"npm start": () => {
		// tested by the bench « journey », which `npm run test:rest` runs, and by the browser tests without npm
		expect(text("proof/bench/journey/second-start.ts")).toContain('spawn("npm", ["start"]');
		expect(benchNames).toContain("journey");
		expect(text("playwright.config.ts")).toContain('command: "node e2e/fresh-shop.ts"');
		expect(text("e2e/fresh-shop.ts")).toContain('import("../main.ts")');
	},
	"npm test": () => expect(text(".ci/run")).toMatch(/^npm test$/m),
	"npm test -- fulfilment": async () => {
		// another word: its tests take a second
		const shown = await run("npm test -- server/signing");
		expect(shown).toMatch(/\nLeft to npm run test:rest: random histories .*\n\n[1-9]\d* passed, 0 failed, 0 skipped\n$/);
		expect(shown).not.toMatch(/playwright|bench\/run/);
	},
	"npm test -- registry": "npm test -- fulfilment",
	"npm test -- sharing": "npm test -- fulfilment",
	"npm run test:rest": () => expect(text(".ci/run")).toMatch(/^npm run test:rest$/m),
	"npm run test:all": async () => {
		const shown = await run("npm run test:all -- app/catalogue/money");
		expect(shown).toMatch(/\n[1-9]\d* passed, 0 failed, 0 skipped\n$/);
		expect(shown).not.toContain("Left to");
	},
	"npm run test:profile -- first": async () => {
		const shown = await run("npm run test:profile -- first app/catalogue/money");
		expect(shown).toMatch(/^ +\d+\.\d {2}app\/catalogue\/money\.test\.ts$/m);
		expect(shown).toMatch(/\d+ core-seconds in \d+ s\. Idle: /);
	},
	"npm run check": () => expect(text(".ci/run")).toMatch(/^npm run check$/m),
	"npm run dev": () =>
		serves("npm run dev", async (url) => {
			expect((await fetch(url)).status).toBe(200);
			expect((await fetch(`${url}/@vite/client`)).status).toBe(200); // reloads a page
		}),
	"npm run web": () =>
		serves("npm run web", async (url) => {
			expect((await fetch(`${url}/recherche?q=danone`)).status).toBe(200);
		}),
	"npm run jobs": () => serves("npm run jobs", async () => {}),
	"npm run db:migrate": async () => {
		const empty = `${shop.connection.database}_empty`;
		await withClient(shop.connection, (client) => client.query(`create database ${empty}`));
		const connection = { ...shop.connection, database: empty };
		expect(await run("npm run db:migrate", { connection })).toContain("The database is up to date.");
		await withClient(connection, (client) => client.query("select from orders"));
	},
	// the repository contains its output
	"npm run db:types": () => run("npm run db:types -- --verify"),
	"npm run --silent sbom > sbom.json": async () => {
		await run(`npm run --silent sbom > ${file("sbom.json")}`);
		expect(JSON.parse(text(file("sbom.json")))).toMatchObject({ bomFormat: "CycloneDX" });
	},
	"npm run --silent sbom": "npm run --silent sbom > sbom.json",
	"SCREENSHOTS=shots npx playwright test every-page every-state": async () => {
		expect(await run("SCREENSHOTS=shots npx playwright test every-page every-state --list")).toMatch(/Total: \d+ tests in 2 files/);
		expect(text("e2e/states/check-state.ts")).toContain("process.env.SCREENSHOTS");
	},
	"DESK_ORDERS=120 npx playwright test e2e/desk/morning.spec.ts": async () => {
		expect(await run("DESK_ORDERS=120 npx playwright test e2e/desk/morning.spec.ts --list")).toContain("Total: 1 test in 1 file");
		expect(text("e2e/desk/morning.spec.ts")).toContain("process.env.DESK_ORDERS");
	},

	"npm run bench": async () => {
		for (const name of benchNames) expect(await listedBenches()).toMatch(new RegExp(`^ {2}${name} `, "m"));
	},
	// `npm run test:rest` makes a smoke run of each bench; here only its name and options are tested
	"npm run bench -- <name>": async () => {
		const lines = (await listedBenches()).split("\n");
		const ofAll = lines.find((line) => line.startsWith("npm run bench -- <name>"));
		const written = named.filter((command) => command.startsWith("npm run bench -- "));
		for (const command of written) {
			const [name, ...words] = command.replace("npm run bench -- ", "").split(" ");
			const own = lines.find((line) => line.startsWith(`  ${name} `));
			expect(own, command).toBeDefined();
			for (const option of words.filter((word) => word.startsWith("--"))) expect(`${ofAll} ${own}`, command).toContain(option);
		}
		for (const name of benchNames) expect(written).toContain(`npm run bench -- ${name}`);
		expect(text("scripts/test.ts")).toContain('import { benchNames } from "../proof/bench/names.ts"');
	},

	// only that it refuses: a run builds the shop, which takes longer than all other commands, and those who change tests run it
	"npm run mutants -- <folder>": async () => {
		expect(await run("npm run mutants -- app/content/texts", { ends: 1 })).toContain("app/content/texts has no mutants");
	},
	"npm run mutants": "npm run mutants -- <folder>",

	// the drills need Debian's programs and some minutes
	"npm run cluster-drill": async () => {
		expect(await run("npm run cluster-drill -- --orders many", { ends: 1 })).toContain("Usage: npm run cluster-drill");
	},
	"npm run rolling-drill -- --proxy <caddy, haproxy or both>": async () => {
		expect(await run("npm run rolling-drill -- --proxy nginx", { ends: 1 })).toContain("--proxy caddy|haproxy|both");
	},
	"npm run rolling-drill -- --proxy both": "npm run rolling-drill -- --proxy <caddy, haproxy or both>",
	"npm run rolling-drill -- --rounds 0": "npm run rolling-drill -- --proxy <caddy, haproxy or both>",
	// the drill needs PostgreSQL's tools and some minutes; app/commands/restore-commands.test.ts tests the same without them
	"npm run restore-drill": async () => {
		expect(await run("npm run restore-drill -- --orders none", { ends: 1 })).toContain("--orders 12");
		expect(text("app/commands/restore-commands.test.ts")).toContain("recreate");
	},

	"npm run desk -- invite …": async () => {
		const line = 'npm run desk -- invite ada@example.fr --name "Ada Martin" --roles manager --as Camille';
		expect(await run(line)).toContain("/bureau/invitation/");
	},
	'npm run desk -- invite ada@example.fr --name "Ada Martin" --roles manager --as Camille': "npm run desk -- invite …",
	"npm run desk -- list": async () =>
		expect(await run("npm run desk -- list")).toMatch(/Ada Martin .*invitation ouverte|aucune invitation n’attend/),
	// another address: the invitation above may be open
	"npm run desk -- end ada@example.fr": async () =>
		expect(await run("npm run desk -- end nobody@example.fr", { ends: 1 })).toContain("Cette personne n’a ni accès ni invitation"),

	"npm run orders": async () => {
		const usage = await run("npm run orders", { ends: 1 });
		// the commands that the documents name
		for (const paragraph of [/^\| `npm run orders -- <command>`.*/m, /^## Serve orders[\s\S]*?(?=\n### )/m]) {
			const paragraphText = documents.map((path) => paragraph.exec(text(path))?.[0]).find(Boolean) ?? "";
			const commands = paragraphText.match(/\b(list|upload|post|receive|reconcile|recreate|move-invoices|export|erase)\b/g);
			expect(commands?.length).toBeGreaterThan(5);
			for (const command of new Set(commands)) expect(usage).toMatch(new RegExp(`^ *${command}\\b`, "m"));
		}
	},
	"npm run orders -- <command>": async () => expect(await run("npm run orders -- list")).toContain("Aucune commande."),
	"npm run orders -- list": "npm run orders -- <command>",
	"npm run orders -- reconcile": () => run("npm run orders -- reconcile"),
	"npm run orders -- reconcile 30": () => run("npm run orders -- reconcile 30"),
	"npm run orders -- recreate": async () => expect(await run("npm run orders -- recreate", { ends: 1 })).toContain("Donnez une commande"),
	"npm run orders -- recreate --all": async () => expect(await run("npm run orders -- recreate --all")).toContain("Copies lues : 0."),
	"npm run orders -- recreate KB-… --discard-copy": async () => {
		const line = "npm run orders -- recreate KB-7F3K-92QD --discard-copy";
		expect(await run(line, { ends: 1 })).toContain("Aucune commande ni aucune copie");
	},
	"npm run orders -- move-invoices": async () => expect(await run("npm run orders -- move-invoices")).toContain("Aucune facture"),
	'npm run orders -- move-invoices F2026-000035 --reason "…"': async () => {
		const { connection, close } = await createTestDatabase();
		await close();
		const year = new Date().getFullYear() - 1; // a series that no other test uses
		const line = `npm run orders -- move-invoices F${year}-000035 --reason "base restaurée"`;
		expect(await run(line, { connection })).toContain(`F${year}-000036`);
	},
	"npm run --silent orders -- receive - < message.eml": async () => {
		const line = `npm run --silent orders -- receive - < ${file("reply.eml", "From: Ada <ada@example.fr>\nSubject: Bonjour\nMessage-ID: <r1@mx.example>\n\nBonjour.\n")}`;
		expect(await run(line)).toContain("dans la liste du bureau");
	},
	"npm run orders -- receive - < message.eml": "npm run --silent orders -- receive - < message.eml",

	// no process does jobs here
	"npm run doctor": async () => {
		const { connection, close } = await createTestDatabase();
		await close();
		const found = await run("npm run doctor", { connection, ends: 1 });
		expect(found).toMatch(/^✓ {2}Database +answers$/m);
		expect(found).toContain("Start one: npm run jobs");
		// nor does it make a database, where DATABASE_URL was forgotten
		const nothing = file("nothing");
		const forgotten = { environment: { DATABASE_URL: "", DATA_DIR: nothing }, ends: 1 };
		expect(await run("npm run doctor", forgotten)).toContain("There is no database here");
		expect(existsSync(nothing)).toBe(false);
	},
	"npm run doctor -- --sample 100": async () => {
		const { checks } = JSON.parse((await run("npm run --silent doctor -- --sample 100 --json || true")) || "{}");
		expect(checks.map(({ name }: { name: string }) => name)).toContain("unnamed-files");
	},
	"npm run --silent doctor -- --json": "npm run doctor -- --sample 100",

	"npm run accounts -- <verb>": async () => {
		expect(await run("npm run accounts -- months")).toContain("Aucune écriture.");
		expect(await run("npm run accounts -- update")).toContain("Écritures passées : 0.");
	},

	"npm run newsletter -- send <letter.md> [--to <address>]": async () => {
		const { connection, db, close } = await createTestDatabase();
		const subscription = { id: crypto.randomUUID(), email: "ada@example.fr", source: "form" as const, text_version: "1" };
		await db
			.insertInto("newsletter_subscriptions")
			.values({ ...subscription, requested_at: new Date(), confirmed_at: new Date() })
			.execute();
		await close();
		const elsewhere = `cd ${folder} && npm --prefix ${process.cwd()} run newsletter -- send`;
		file("ailleurs.md", "# Novembre\n\nBonjour.\n");
		expect(await run(`${elsewhere} ailleurs.md --to relecture@example.fr`, { connection })).toContain("part à relecture@example.fr");
		expect(await run(`${elsewhere} - --to relecture@example.fr < ailleurs.md`, { connection })).toContain("part à relecture@example.fr");
		const send = `npm run newsletter -- send ${file("lettre.md", "# Novembre\n\nBonjour.\n")}`;
		expect(await run(`${send} --to relecture@example.fr`, { connection })).toContain("part à relecture@example.fr");
		expect(await run(send, { connection })).toContain("part à 1 inscrit.");
	},
	"npm run newsletter -- send lettre.md --to you@…": "npm run newsletter -- send <letter.md> [--to <address>]",
	"npm run newsletter -- list": async () => expect(await run("npm run newsletter -- list")).toContain("Inscrits :"),

	"npm run companies:import -- <StockUniteLegale> <StockEtablissement>": async () => {
		const { connection, close } = await createTestDatabase();
		await close();
		const line = `npm run companies:import -- ${file("units.csv", unitFile)} ${file("establishments.csv", establishmentFile)}`;
		expect(await run(`${line} --dry-run`, { connection })).toMatch(/\d companies would be imported; nothing was changed/);
		expect(await run(line, { connection })).toMatch(/\d companies imported/);
	},
	"npm run companies:import": "npm run companies:import -- <StockUniteLegale> <StockEtablissement>",
	"npm run companies:import-rne -- <list.json>…": async () => {
		const { connection, close } = await createTestDatabase();
		await close();
		const danone = { siren: "552032534", date_immatriculation: "1955-02-04", indicateur_associe_unique: false };
		const list = JSON.stringify([{ capital_social: null, devise_capital: null, date_radiation: null, ...danone }]);
		const line = `npm run companies:import-rne -- ${file("one.json", list)} ${file("two.json", "[]")}`;
		expect(await run(line, { connection })).toContain("1 registrations imported");
	},
	"npm run companies:import-vat -- <file> [--as-of=YYYY-MM-DD]": async () => {
		const line = `npm run companies:import-vat -- ${file("tva.csv", "vat_no;validity_date\n27552032534;2020-07-01\n")} --as-of=2026-11-03`;
		expect(await run(line)).toContain("1 VAT numbers of 1 companies imported, active on 2026-11-03.");
	},
	"npm run companies:update": async () => {
		const { connection, close } = await createTestDatabase();
		await close();
		const [then, since] = [3, 1].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 23)) as [string, string];
		const dated = (rows: Row[]) => JSON.parse(JSON.stringify(rows).replaceAll(before, then).replaceAll(after, since)) as Row[];
		const insee = await startFakeInsee(() => Date.now());
		try {
			const { units, establishments } = changedUnits();
			Object.assign(insee, { units: dated(units), establishments: dated(establishments) });
			const environment = { INSEE_API_KEY: fakeInseeKey, INSEE_API_BASE: insee.base };
			expect(await run("npm run companies:update", { connection, environment })).toMatch(/[1-9]\d* units asked for/);
		} finally {
			await insee.close();
		}
	},
	"npm run companies:notices -- <export>…": async () => {
		const { connection, close } = await createTestDatabase();
		await close();
		const line = `npm run companies:notices -- ${file("one.csv", toCsv(unmarkedNotices, ";"))} ${file("two.jsonl", toJsonLines(unmarkedNotices))}`;
		expect(await run(`${line} --covers=2026-09-01..2026-09-30`, { connection })).toMatch(
			/Notices of companies: 25 new, .*\n50 read, 46 kept.*\nEvery notice published from 2026-09-01 to 2026-09-30 was read\./,
		);
	},
	"npm run companies:notices -- annonces-commerciales.csv.gz --covers=2008-01-01..2026-11-25": "npm run companies:notices -- <export>…",
	"npm run companies:notices": async () => {
		const { connection, close } = await createTestDatabase();
		await close();
		const bulletin = await startFakeBulletin();
		try {
			// the command counts days in Paris
			const yesterday = addDays(toParisDay(new Date()).toString(), -1);
			bulletin.records = [modification("B20260300100", { dateparution: yesterday })];
			const environment = { BODACC_API_BASE: bulletin.base };
			expect(await run("npm run companies:notices", { connection, environment })).toMatch(/7 days read .* 1 new/);
			const since = `npm run companies:notices -- --since=${yesterday}`;
			expect(await run(since, { connection, environment })).toMatch(/2 days read .* 0 new/);
		} finally {
			await bulletin.close();
		}
	},
	"npm run companies:notices -- --since=2026-11-01": "npm run companies:notices",
	"npm run companies:notices [-- --since=2026-11-01]": "npm run companies:notices",
	"npm run companies:hide -- <SIREN> --reason <text>": async () => {
		expect(await run('npm run companies:hide -- 552032534 --reason "message 1A2B3C4D"')).toContain("552032534 is hidden everywhere");
		expect(await run("npm run companies:hide -- --list")).toMatch(/^552032534 .* message 1A2B3C4D$/m);
		expect(await run("npm run companies:show -- 552032534")).toContain("552032534 is shown again.");
	},
	'npm run companies:hide -- <SIREN> --reason "message 1A2B3C4D"': "npm run companies:hide -- <SIREN> --reason <text>",
	"npm run companies:hide": "npm run companies:hide -- <SIREN> --reason <text>",
	"npm run companies:hide -- --list": "npm run companies:hide -- <SIREN> --reason <text>",
	"npm run companies:show -- <SIREN>": "npm run companies:hide -- <SIREN> --reason <text>",
};

const text = (path: string) => readFileSync(path, "utf8");

/** The commands in a document's `code` and blocks of code. `-- list` after `npm run x -- send` is `npm run x -- list`. */
function commandsIn(document: string): string[] {
	const commands: string[] = [];
	let script = "";
	for (const [, block, span] of document.matchAll(/^```\w*\n([\s\S]*?)^```|`([^`\n]+)`/gm)) {
		for (const line of (block ?? span ?? "").split("\n")) {
			const command = line.replace(/ +#.*$/, "").trim();
			if (/^(\w+=\S+ )*(npm (start|test|run)|npx)\b/.test(command)) {
				commands.push(command);
				script = command.split(" -- ")[0] ?? "";
			} else if (script && command.startsWith("-- ")) commands.push(`${script} ${command}`);
		}
	}
	return commands;
}

/** The anchors of a document's headings, as GitHub makes them. */
const anchorsIn = (document: string) =>
	[...document.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, "")
			.replaceAll(" ", "-"),
	);

const named = [...new Set(documents.flatMap((path) => commandsIn(text(path))))];
const getTrialName = (command: string) => (command.startsWith("npm run bench -- ") ? "npm run bench -- <name>" : command);

const folder = mkdtempSync(join(tmpdir(), "extrait-pro-readme-"));
let shop: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
	shop = await createTestDatabase();
	// several commands at once build what is not built yet: once, and before
	await run("node run.mjs --build --eval 0");
});
afterAll(async () => {
	await shop?.close();
	rmSync(folder, { recursive: true });
});

/** A file in the folder of these tests. @returns its path. */
function file(name: string, content?: string): string {
	const path = join(folder, name);
	if (content !== undefined) writeFileSync(path, content);
	return path;
}

interface SiteLayout {
	/** The database; that of all where it is not said. */
	connection?: pg.ClientConfig;
	environment?: Record<string, string>;
}

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

/**
 * What npm would run for `npm run <script> -- <arguments>`, because npm itself takes half a second of processor time. `npm test` and
 * `npm --prefix` are tried as they are.
 */
const withoutNpm = (line: string): string =>
	line.replace(/^npm run (?:--silent )?([\w:-]+)(?: -- |(?= )|$)/, (_, name) => `${scripts[name]} `);

const getVariables = ({ connection = shop.connection, environment = {} }: SiteLayout) => ({
	...getUserEnvironment(),
	...{ DATABASE_URL: toDatabaseUrl(connection), DATA_DIR: folder, LOG_LEVEL: "error", ...environment },
});

/** Types a line. `leave` ends it and all that it started, as Ctrl-C does. */
function type(line: string, layout: SiteLayout) {
	const child = spawn("sh", ["-c", withoutNpm(line)], { detached: true, env: getVariables(layout) });
	const shown = { out: "", all: "" };
	child.stdout.on("data", (said) => {
		shown.out += said;
		shown.all += said;
	});
	child.stderr.on("data", (said) => {
		shown.all += said;
	});
	child.stdin.end();
	const ended = new Promise<number | null>((end) => child.once("close", end));
	return { shown, ended, leave: (signal: NodeJS.Signals) => killGroup(child, signal) };
}

/** Words, some of them in quotes: nothing else of the shell's syntax. */
const plainWords = /main\.ts ((?:[\w:./@=-]+|"[^"$`\\]*")(?: (?:[\w:./@=-]+|"[^"$`\\]*"))*)$/;

/**
 * Runs a line and waits until it has ended, with 0 where nothing else is said. A command of main.ts runs in this process, because loading
 * it in another one takes a second. Lines with more of the shell's syntax, the doctor and other programs run in a shell.
 * @returns what it printed; with errors where it should fail.
 */
async function run(line: string, { ends = 0, ...layout }: SiteLayout & { ends?: number } = {}): Promise<string> {
	const [, words] = plainWords.exec(withoutNpm(line)) ?? [];
	const { role, roleArguments } = parseProgramArguments((words?.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', "")));
	const command = role === "doctor" ? undefined : await loadCommand(role);
	if (command) {
		const variables = getVariables(layout);
		const parsed = parseEnvironment({ APP_SECRET: "a secret of the tests that is long enough to sign", ...variables });
		if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
		const result = await command(parseDatabaseUrl(variables.DATABASE_URL), roleArguments, parsed.environment);
		expect(result.ok, `${line}\n${result.text}`).toBe(ends === 0);
		return result.text;
	}
	const { shown, ended } = type(line, layout);
	const code = await ended;
	expect(code, `${line}\n${shown.all}`).toBe(ends);
	return ends === 0 ? shown.out : shown.all;
}

/** Types a line that does not end, waits until it says that it works, looks at it, and asks it to stop. */
async function serves(line: string, look: (url: string) => Promise<void>): Promise<void> {
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const { shown, ended, leave } = type(line, { environment: { PORT: String(port), BASE_URL: url } });
	try {
		// `npm run dev` compiles on its first start, beside four other commands and the browser tests
		await expect.poll(() => shown.all, { timeout: scaledTimeout(150_000) }).toMatch(/^The (shop is open|jobs are running)/m);
		await look(url);
		leave("SIGTERM");
		await ended;
	} finally {
		leave("SIGKILL");
	}
}

let listing: Promise<string> | undefined;
/** What `npm run bench` says by itself. */
function listedBenches(): Promise<string> {
	listing ??= run("npm run bench");
	return listing;
}

test("each command that a document names is tried, and no other", () => {
	expect(Object.keys(trials).sort()).toEqual([...new Set(named.map(getTrialName))].sort());
	for (const trial of Object.values(trials)) if (typeof trial === "string") expect(trials[trial]).toBeTypeOf("function");
});

test("each link of a document leads to a file that is there, and to a heading of it", () => {
	const links = [...documents, "deploy/cluster/README.md"].flatMap((path) =>
		[...text(path).matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].map(([, file, anchor]) => ({
			in: path,
			to: file ? join(dirname(path), decodeURI(file)) : path,
			anchor,
		})),
	);
	expect(links.length).toBeGreaterThan(50);
	for (const link of links) {
		expect(existsSync(link.to), JSON.stringify(link)).toBe(true);
		if (link.anchor) expect(anchorsIn(text(link.to)), JSON.stringify(link)).toContain(link.anchor);
	}
});

describe.concurrent("a command that a document names works as it is written", () => {
	// all at once, and some of them build the shop first
	test.each(Object.entries(trials).filter(([, trial]) => typeof trial !== "string"))(
		"%s",
		async (_, trial) => {
			await (trial as () => unknown)();
		},
		scaledTimeout(300_000),
	);
});

test("each folder of the product has its sentence in docs/architecture.md", () => {
	const folders = [...globSync("app/*/"), ...globSync("server/*/")].map(
		(folder) => `\`${folder.replaceAll("\\", "/").replace(/\/?$/, "/")}\``,
	);
	const table = text("docs/architecture.md");
	expect(folders.length).toBeGreaterThan(20);
	expect(folders.filter((folder) => !table.includes(folder))).toEqual([]);
});

test("each decision has its own number, which its heading repeats", () => {
	const files = globSync("docs/decisions/*.md").map((file) => file.split(/[\\/]/).at(-1) ?? "");
	const numbers = files.map((file) => Number(file.slice(0, 4)));
	expect(numbers.toSorted((one, other) => one - other)).toEqual(numbers.map((_, index) => index + 1));
	for (const file of files) expect(text(`docs/decisions/${file}`)).toMatch(new RegExp(`^# ${Number(file.slice(0, 4))}\\. `));
});
