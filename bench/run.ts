// npm run bench -- <name> [--smoke] [--markdown]
// Measures one thing and prints each figure beside its goal and beside the bare limit of the same machine.
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Bench } from "./bench.ts";
import { asMarkdown, asText, machine } from "./report.ts";

const longest = 175_000;
const ending = ".bench.ts";

const { values: wanted, positionals } = parseArgs({
	allowPositionals: true,
	options: { smoke: { type: "boolean", default: false }, markdown: { type: "boolean", default: false } },
});
const names = readdirSync(import.meta.dirname)
	.filter((file) => file.endsWith(ending))
	.map((file) => file.slice(0, -ending.length));
const load = async (name: string): Promise<Bench> => (await import(`./${name}${ending}`)).default;

const [name] = positionals;
if (name === undefined || !names.includes(name)) {
	console.log("npm run bench -- <name> [--smoke] [--markdown]\n");
	for (const known of names) console.log(`  ${known.padEnd(12)} ${(await load(known)).about}`);
	process.exit(name === undefined ? 0 : 1);
}

const bench = await load(name);
const machineLine = machine();
const undo = new AsyncDisposableStack();
const interrupted = new Promise<never>((_, fail) => {
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => fail(new Error(`stopped by ${signal}`)));
	setTimeout(() => fail(new Error(`not done after ${longest / 1000} s`)), longest).unref();
});
try {
	const progress = (text: string) => console.error(`… ${text}`);
	const measured = await Promise.race([bench.measure({ smoke: wanted.smoke, undo, progress }), interrupted]);
	if (wanted.smoke) measured.setting.push("a smoke run: few repetitions, of which only the ratios mean something");
	console.log(wanted.markdown ? asMarkdown(name, bench.about, machineLine, measured) : asText(machineLine, measured));
	const absurd = measured.figures.filter(({ value, bare, largestRatio }) => !(value / bare > 0 && value / bare <= largestRatio));
	if (wanted.smoke) for (const { what, largestRatio } of absurd) console.error(`✗ ${what}: not within ×${largestRatio} of its bare limit`);
	process.exitCode = wanted.smoke && absurd.length > 0 ? 1 : 0;
} catch (error) {
	console.error(error);
	process.exitCode = 1;
} finally {
	await undo.disposeAsync();
}
process.exit();
