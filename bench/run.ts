// npm run bench -- <name> [--smoke] [--markdown | --line]
// Measures one thing and prints each figure beside its goal and beside the bare limit of the same machine.
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Bench } from "./bench.ts";
import { asLine, asMarkdown, asText, brokenIn, machine } from "./report.ts";

const longest = 175_000;
const ending = ".bench.ts";

const names = readdirSync(import.meta.dirname)
	.filter((file) => file.endsWith(ending))
	.map((file) => file.slice(0, -ending.length));
const load = async (name: string): Promise<Bench> => (await import(`./${name}${ending}`)).default;
const optionsOf = ({ options = {} }: Bench) =>
	Object.entries(options).map(([option, { type }]) => (type === "string" ? `[--${option} …]` : `[--${option}]`));

const [name] = process.argv.slice(2);
if (name === undefined || !names.includes(name)) {
	console.log("npm run bench -- <name> [--smoke] [--markdown | --line]\n");
	for (const known of names) {
		const listed = await load(known);
		console.log(`  ${known.padEnd(12)} ${[listed.about, ...optionsOf(listed)].join(" ")}`);
	}
	process.exit(name === undefined ? 0 : 1);
}

const bench = await load(name);
const { smoke, markdown, line, ...asked } = parseArgs({
	args: process.argv.slice(3),
	options: {
		...bench.options,
		smoke: { type: "boolean", default: false },
		markdown: { type: "boolean", default: false },
		line: { type: "boolean", default: false },
	},
}).values;
const wanted = { smoke: smoke === true, asked };
const limit = bench.longest?.(wanted) ?? longest;
const machineLine = machine();
const undo = new AsyncDisposableStack();
const interrupted = new Promise<never>((_, fail) => {
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => fail(new Error(`stopped by ${signal}`)));
	setTimeout(() => fail(new Error(`not done after ${limit / 1000} s`)), limit).unref();
});
try {
	const started = performance.now();
	const progress = (text: string) =>
		!line && console.error(`… ${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}`);
	const measured = await Promise.race([bench.measure({ ...wanted, undo, progress }), interrupted]);
	if (wanted.smoke) measured.setting.push("a smoke run: few repetitions, of which only the ratios mean something");
	if (line) console.log(asLine(name, measured));
	else console.log(markdown ? asMarkdown(name, bench.about, machineLine, measured) : asText(machineLine, measured));
	const broken = wanted.smoke || bench.strict ? brokenIn(measured) : [];
	for (const sentence of broken) console.error(`✗ ${sentence}`);
	process.exitCode = broken.length > 0 ? 1 : 0;
} catch (error) {
	console.error(error);
	process.exitCode = 1;
} finally {
	await undo.disposeAsync();
}
process.exit();
