import type { ParseArgsConfig } from "node:util";
import type { BenchServer } from "./database.ts";

/** Default export of a `*.bench.ts` file; `npm run bench -- <name>` runs it. */
export interface Bench {
	/** One line for the list of benches. */
	about: string;
	/** Its own command-line options, besides `--smoke` and the like. */
	options?: NonNullable<ParseArgsConfig["options"]>;
	/** Every run fails when something is broken; without it, only smoke runs do. */
	strict?: true;
	/** Time limit in milliseconds on the reference machine (see scaledTimeout); 175 seconds by default. */
	maxMs?(options: Pick<BenchOptions, "smoke" | "given">): number;
	measure(options: BenchOptions): Promise<Measured>;
}

export interface BenchOptions {
	/** Runs every part of the bench with few repetitions, to see that the bench and the shop work. */
	smoke: boolean;
	/** Values of its own command-line options. */
	given: Readonly<Record<string, unknown>>;
	/** An embedded PostgreSQL with its default settings, shared by all benches of this process. */
	server(): Promise<BenchServer>;
	/** Stops and deletes in reverse order what the bench started or created, also after a failure or a signal. */
	undo: AsyncDisposableStack;
	progress: (text: string) => void;
}

export interface Measured {
	/** Conditions of the measurement besides the machine, a line each. */
	setting: string[];
	figures: Figure[];
	tables?: Table[];
	/** Options that repeat this run. */
	options?: string | undefined;
	/** Failures that no slow machine explains. */
	broken?: string[];
}

export interface Table {
	title: string;
	columns: string[];
	rows: string[][];
}

/** A measured value with its goal. */
export interface Figure {
	label: string;
	unit: "ms" | "s" | "MB" | "kB" | "%" | "/s" | "points" | "";
	value: number;
	/** Upper limit, or lower limit when `atLeast` is set. */
	goal: number;
	atLeast?: true;
	details?: string[];
	/** The least that the same work costs on the same machine, in the same unit. */
	baseline?: Baseline;
}

interface Baseline {
	value: number;
	label: string;
	/** A smoke run fails when the figure is worse than the baseline by more than this factor. */
	maxRatio: number;
}
