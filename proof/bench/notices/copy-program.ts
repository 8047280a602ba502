// The baseline of an import: copies the lines of NOTICES unread into a table without an index, each as one text.
// Prints the milliseconds, the rows, the processor time and the highest memory.
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from } from "pg-copy-streams";
import { measureUsage } from "../../../test/report-usage.ts";

const { DATABASE_URL: connectionString, NOTICES = "" } = process.env;
const client = new pg.Client({ connectionString });
await client.connect();
await client.query("create table copied_notices (line text)");
const started = performance.now();
const target = client.query(from(String.raw`copy copied_notices from stdin (format csv, quote e'\x01', delimiter e'\x02')`));
await pipeline(createReadStream(NOTICES, { highWaterMark: 1 << 18 }), target);
const ms = performance.now() - started;
await client.query("drop table copied_notices");
await client.end();
console.log(JSON.stringify({ ms, rows: target.rowCount, ...measureUsage() }));
