// npm run bench -- <name>… [--smoke] [--markdown | --line]
// Runs benches one after the other and prints each figure with its goal and its baseline on the same machine.
import { parseArgs } from "node:util";
import { scaledTimeout } from "../../test/time-limits.ts";
import type { Bench } from "./bench.ts";
import { type BenchServer, startBenchServer } from "./database.ts";
import { benchNames, loadBench } from "./names.ts";
import { describeMachine, findBroken, formatLine, formatMarkdown, formatText } from "./report.ts";

const defaultMaxMs = 175_000;

const firstOption = process.argv.findIndex((argument, at) => at > 1 && argument.startsWith("-"));
const names = process.argv.slice(2, firstOption === -1 ? undefined : firstOption);
if (names.length === 0 || names.some((name) => !benchNames.includes(name))) {
	await printUsage();
	process.exit(names.length === 0 ? 0 : 1);
}

const benches = await Promise.all(names.map(async (name) => ({ name, bench: await loadBench(name) })));
const { smoke, markdown, line, ...given } = parseArgs({
	args: firstOption === -1 ? [] : process.argv.slice(firstOption),
	options: {
		// a bench's own options are read only when it runs alone: two benches may use one name for different things
		...(benches.length === 1 && benches[0]?.bench.options),
		smoke: { type: "boolean", default: false },
		markdown: { type: "boolean", default: false },
		line: { type: "boolean", default: false },
	},
}).values;
const wanted = { smoke: smoke === true, given };
const machine = describeMachine();
const shared = new AsyncDisposableStack();
let server: Promise<BenchServer> | undefined;
const startServer = () => {
	server ??= startBenchServer(shared);
	return server;
};
let stopped = false;
const signalled = new Promise<never>((_, fail) => {
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => fail(new Error(`stopped by ${signal}`)));
});
signalled.catch(() => {
	stopped = true;
});

const failed: string[] = [];
for (const { name, bench } of benches) if (!stopped && !(await run(name, bench))) failed.push(name);
if (benches.length > 1) for (const name of failed) console.error(`✗ bench ${name}`);
await shared.disposeAsync();
process.exit(failed.length > 0 ? 1 : 0);

async function printUsage(): Promise<void> {
	console.log("npm run bench -- <name>… [--smoke] [--markdown | --line]\n");
	for (const name of benchNames) {
		const { about, options = {} } = await loadBench(name);
		const flags = Object.entries(options).map(([option, { type }]) => (type === "string" ? `[--${option} …]` : `[--${option}]`));
		console.log(`  ${name.padEnd(12)} ${[about, ...flags].join(" ")}`);
	}
}

/** Measures, prints and cleans up. @returns false when something is broken. */
async function run(name: string, bench: Bench): Promise<boolean> {
	const maxMs = bench.maxMs?.(wanted) ?? defaultMaxMs;
	const undo = new AsyncDisposableStack();
	const started = performance.now();
	const seconds = () => (performance.now() - started) / 1000;
	const late = Promise.withResolvers<never>();
	// checked again every second: the limit grows when the machine becomes busier
	const clock = setInterval(() => 1000 * seconds() > scaledTimeout(maxMs) && late.reject(new Error(`not done after ${seconds()} s`)), 1000);
	try {
		const progress = (text: string) => !line && console.error(`… ${seconds().toFixed(0).padStart(4)} s  ${text}`);
		const measured = await Promise.race([bench.measure({ ...wanted, server: startServer, undo, progress }), late.promise, signalled]);
		if (wanted.smoke) measured.setting.push("a smoke run with few repetitions: only the ratios mean something");
		if (line) console.log(formatLine(name, seconds(), measured));
		else console.log(markdown ? formatMarkdown(name, bench.about, machine, measured) : formatText(machine, measured));
		const broken = wanted.smoke || bench.strict ? findBroken(measured) : [];
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
