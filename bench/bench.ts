import type { ParseArgsConfig } from "node:util";
import type { BenchServer } from "./database.ts";

/** What a `*.bench.ts` file exports as its default: one thing that is measured, run by `npm run bench -- <name>`. */
export interface Bench {
	/** One line for the list of benches. */
	about: string;
	/** What it can be asked on the command line, beside `--smoke` and the like. */
	options?: NonNullable<ParseArgsConfig["options"]>;
	/** Fails whenever something is broken, not in a smoke run only. */
	strict?: true;
	/** The longest it may take on the reference machine, in milliseconds (see scaledTimeout); just under three minutes where it does not say. */
	longest?(asked: Pick<BenchOptions, "smoke" | "asked">): number;
	measure(options: BenchOptions): Promise<Measured>;
}

export interface BenchOptions {
	/** Few repetitions, but every part of the bench: whether it and the shop work at all, on any machine. */
	smoke: boolean;
	/** What was given for its own options. */
	asked: Readonly<Record<string, unknown>>;
	/** The embedded PostgreSQL with its default settings, which all benches of this process share. */
	server(): Promise<BenchServer>;
	/** Takes back whatever was started or made, in reverse order, also after a failure or a signal. */
	undo: AsyncDisposableStack;
	/** Says what is being measured now. */
	progress: (text: string) => void;
}

export interface Measured {
	/** What the figures were made with, beyond the machine: a line each. */
	setting: string[];
	figures: Figure[];
	/** Numbers that the figures are made of. */
	tables?: Table[];
	/** What was asked beside the name of the bench, to make the same again. */
	options?: string;
	/** What no machine is slow enough to explain: a smoke run fails where there is any. */
	broken?: string[];
}

export interface Table {
	title: string;
	columns: string[];
	rows: string[][];
}

/** One measured value, beside its goal and, where there is such a thing, beside what the same machine does at best, in the same unit. */
export type Figure = MeasuredValue & (BesideBare | { bare?: undefined });

interface MeasuredValue {
	what: string;
	unit: "ms" | "s" | "MB" | "kB" | "%" | "/s" | "points" | "";
	value: number;
	/** At most this, or at least this where `atLeast` is set. */
	goal: number;
	atLeast?: true;
	/** Other numbers that explain the value. */
	details: string[];
}

interface BesideBare {
	bare: number;
	bareWhat: string;
	/** A smoke run fails where the value is so many times worse than the bare limit: no machine is slow in this proportion. */
	largestRatio: number;
}
