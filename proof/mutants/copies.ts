import { type ChildProcess, execFileSync, fork, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { instrument, type NamedMutant } from "./instrument.ts";
import type { RunRequest, RunResult } from "./worker.ts";

export type Run = (request: RunRequest) => Promise<RunResult>;

/** Copies of the shop, one for each core, in which tests run with one mutant or none. */
export interface Copies {
	/** Shares a list among the copies; each works on one item at a time. */
	share: <T>(list: readonly T[], work: (run: Run, item: T) => Promise<void>) => Promise<void>;
	close: () => Promise<void>;
}

/**
 * Copies the shop with uncommitted changes, writes the mutants into the copies and builds them.
 * @throws Error when the shop cannot be built.
 */
export async function createCopies(mutants: readonly NamedMutant[]): Promise<Copies> {
	// inside the repository, so that Node finds the packages; the PDF inspector may not read through a link
	mkdirSync("test-results", { recursive: true });
	const folder = mkdtempSync(resolve("test-results/mutants-"));
	let workers: ReturnType<typeof startWorker>[] = [];
	process.once("exit", () => {
		for (const { child } of workers) killGroup(child);
		rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
	});
	const close = async () => void (await Promise.all(workers.map(({ close }) => close())));
	// the terminal and run.mjs both send Ctrl-C
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
		process.on(signal, () => void Promise.race([close(), wait(15_000)]).finally(() => process.exit(1)));
	const first = join(folder, "1");
	const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" });
	for (const file of files.split("\0").filter((file) => existsSync(file) && file !== "")) {
		mkdirSync(dirname(join(first, file)), { recursive: true });
		cpSync(file, join(first, file));
	}
	for (const [file, fileMutants] of Map.groupBy(mutants, ({ file }) => file))
		writeFileSync(join(first, file), instrument(readFileSync(file, "utf8"), fileMutants));
	openConfinement(join(first, "app/fulfilment/extracts/inspect-pdf.server.ts"));
	writeFileSync(join(first, ".mutant"), "");
	const { status, stderr } = spawnSync("node", ["scripts/build.ts"], { cwd: first, encoding: "utf8", env: getEnvironment(first) });
	if (status !== 0) throw new Error(`the shop with its mutants cannot be built in ${first}: ${stderr}`);

	workers = Array.from({ length: availableParallelism() }, (_, index) => {
		const copy = join(folder, String(index + 1));
		if (copy !== first) cpSync(first, copy, { recursive: true });
		return startWorker(copy);
	});
	return {
		async share(list, work) {
			const left = list.values();
			await Promise.all(
				workers.map(async ({ run }) => {
					for (const item of left) await work(run, item);
				}),
			);
		},
		close,
	};
}

/** Lets the confined processes of a copy read which mutant is active, and record those that they reach: else no test could notice one there. */
function openConfinement(file: string): void {
	const source = readFileSync(file, "utf8");
	const option = '"--permission",';
	if (!source.includes(option)) throw new Error(`${file} confines no process`);
	const readable = [".mutant", ".mutants-seen", ".test"].map((name) => `"--allow-fs-read=${name}",`);
	writeFileSync(file, source.replaceAll(option, [option, ...readable, '"--allow-fs-write=.mutants-seen",'].join(" ")));
}

/** The compile cache is deleted with the copy. */
const getEnvironment = (folder: string) => ({ ...process.env, NODE_COMPILE_CACHE: join(folder, "build/compile-cache") });

function startWorker(folder: string): { child: ChildProcess; run: Run; close: () => Promise<void> } {
	const child = fork(join(folder, "proof/mutants/worker.ts"), {
		cwd: folder,
		env: getEnvironment(folder),
		stdio: ["ignore", "ignore", "ignore", "ipc"],
		detached: true, // a separate process group, so that the processes of a killed test end with it
	});
	let answer = (_: RunResult) => {};
	let fail = (_: Error) => {};
	child.on("message", (result: RunResult) => answer(result));
	const ended = new Promise<void>((end) => child.on("exit", () => end(fail(new Error(`the tests in ${folder} ended too early`)))));
	return {
		child,
		run(request) {
			child.send(request);
			return new Promise((resolved, rejected) => {
				answer = resolved;
				fail = rejected;
			});
		},
		close() {
			if (child.connected) child.disconnect();
			return ended.then(() => killGroup(child));
		},
	};
}

function killGroup({ pid }: ChildProcess): void {
	try {
		if (pid !== undefined) process.kill(-pid, "SIGKILL");
	} catch {} // the group has already ended
}
