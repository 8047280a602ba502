/** What a `*.bench.ts` file exports as its default: one thing that is measured, run by `npm run bench -- <name>`. */
export interface Bench {
	/** One line for the list of benches. */
	about: string;
	measure(options: BenchOptions): Promise<Measured>;
}

export interface BenchOptions {
	/** Few repetitions: whether the bench and the shop work at all, on any machine. */
	smoke: boolean;
	/** Takes back whatever was started or made, in reverse order, also after a failure or a signal. */
	undo: AsyncDisposableStack;
	/** Says what is being measured now. */
	progress: (text: string) => void;
}

export interface Measured {
	/** What the figures were made with, beyond the machine: a line each. */
	setting: string[];
	figures: Figure[];
}

/** One measured value, beside its goal and beside what the same machine does at best, in the same unit. */
export interface Figure {
	what: string;
	unit: "ms" | "s" | "MB";
	value: number;
	/** At most this. */
	goal: number;
	bare: number;
	bareWhat: string;
	/** Other numbers that explain the value. */
	details: string[];
	/** A smoke run fails beyond this multiple of the bare limit: no machine is slow in this proportion. */
	largestRatio: number;
}
