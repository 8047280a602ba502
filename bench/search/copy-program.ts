// The least that an import can cost: both files, UNITS and then ESTABLISHMENTS, copied as they are into tables of text without an index.
// Prints the milliseconds it took, the rows and the most memory it had.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from } from "pg-copy-streams";
import { usage } from "../tell-usage.ts";

const { DATABASE_URL: connectionString, UNITS = "", ESTABLISHMENTS = "" } = process.env;

async function copy(table: string, file: string): Promise<number> {
	const client = new pg.Client({ connectionString });
	await client.connect();
	const header = await firstLine(file);
	await client.query(`create table ${table} (${header.replace(/\w+/g, '"$&" text')})`);
	const into = client.query(from(`copy ${table} from stdin csv header`));
	await pipeline(createReadStream(file, { highWaterMark: 1 << 18 }), into);
	await client.end();
	return into.rowCount;
}

async function firstLine(file: string): Promise<string> {
	const input = createReadStream(file, { end: 10_000 });
	for await (const line of createInterface({ input })) return line;
	throw new Error(`${file} is empty`);
}

const started = performance.now();
const rows = (await copy("bare_units", UNITS)) + (await copy("bare_establishments", ESTABLISHMENTS));
const ms = performance.now() - started;
console.log(JSON.stringify({ ms, rows, peak: usage().peak }));
