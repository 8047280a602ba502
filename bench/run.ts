// npm run bench -- <name>… [--smoke] [--markdown | --line]
// Measures one thing, or several one after another, and prints each figure beside its goal and beside the bare limit of the same machine.
import { parseArgs } from "node:util";
import { scaledTimeout } from "../test/time-limits.ts";
import type { Bench } from "./bench.ts";
import { type BenchServer, startBenchServer } from "./database.ts";
import { benchNames, loadBench } from "./names.ts";
import { asLine, asMarkdown, asText, brokenIn, machine } from "./report.ts";

const usualLongest = 175_000;

const optionsOf = ({ options = {} }: Bench) =>
	Object.entries(options).map(([option, { type }]) => (type === "string" ? `[--${option} …]` : `[--${option}]`));

const firstOption = process.argv.findIndex((argument, at) => at > 1 && argument.startsWith("-"));
const names = process.argv.slice(2, firstOption === -1 ? undefined : firstOption);
if (names.length === 0 || names.some((name) => !benchNames.includes(name))) {
	console.log("npm run bench -- <name>… [--smoke] [--markdown | --line]\n");
	for (const known of benchNames) {
		const listed = await loadBench(known);
		console.log(`  ${known.padEnd(12)} ${[listed.about, ...optionsOf(listed)].join(" ")}`);
	}
	process.exit(names.length === 0 ? 0 : 1);
}

const benches = await Promise.all(names.map(async (name) => ({ name, bench: await loadBench(name) })));
const { smoke, markdown, line, ...asked } = parseArgs({
	args: firstOption === -1 ? [] : process.argv.slice(firstOption),
	options: {
		// those of its own are taken by one bench alone: two may use a word for different things
		...(benches.length === 1 && benches[0]?.bench.options),
		smoke: { type: "boolean", default: false },
		markdown: { type: "boolean", default: false },
		line: { type: "boolean", default: false },
	},
}).values;
const wanted = { smoke: smoke === true, asked };
const machineLine = machine();
const shared = new AsyncDisposableStack();
let server: Promise<BenchServer> | undefined;
const signalled = new Promise<never>((_, fail) => {
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => fail(new Error(`stopped by ${signal}`)));
});
let stopped = false;
signalled.catch(() => {
	stopped = true;
});

const failed: string[] = [];
for (const { name, bench } of benches) if (!stopped && !(await run(name, bench))) failed.push(name);
if (benches.length > 1) for (const name of failed) console.error(`✗ bench ${name}`);
await shared.disposeAsync();
process.exit(failed.length > 0 ? 1 : 0);

/** Measures, prints, and takes back what it started. @returns whether nothing is broken. */
async function run(name: string, bench: Bench): Promise<boolean> {
	const limit = bench.longest?.(wanted) ?? usualLongest;
	const undo = new AsyncDisposableStack();
	const started = performance.now();
	const passed = () => performance.now() - started;
	const late = Promise.withResolvers<never>();
	// looked at now and then: the machine may have become busier meanwhile
	const clock = setInterval(() => passed() > scaledTimeout(limit) && late.reject(new Error(`not done after ${passed() / 1000} s`)), 1000);
	try {
		const progress = (text: string) => !line && console.error(`… ${(passed() / 1000).toFixed(0).padStart(4)} s  ${text}`);
		const startServer = () => {
			server ??= startBenchServer(shared);
			return server;
		};
		const measured = await Promise.race([bench.measure({ ...wanted, server: startServer, undo, progress }), late.promise, signalled]);
		if (wanted.smoke) measured.setting.push("a smoke run: few repetitions, of which only the ratios mean something");
		if (line) console.log(asLine(name, passed() / 1000, measured));
		else console.log(markdown ? asMarkdown(name, bench.about, machineLine, measured) : asText(machineLine, measured));
		const broken = wanted.smoke || bench.strict ? brokenIn(measured) : [];
		for (const sentence of broken) console.error(`✗ ${sentence}`);
		return broken.length === 0;
	} catch (error) {
		console.error(error);
		return false;
	} finally {
		clearInterval(clock);
		await undo.disposeAsync();
	}
}
