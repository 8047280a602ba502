import type { Mutant } from "./operators.ts";

/** A mutant with the name under which it is switched on. */
export interface NamedMutant extends Mutant {
	id: string;
	file: string;
}

/**
 * The text of a file that holds all its mutants at once, each behind a switch: one build serves them all.
 * A mutant's own text is the original's, so that a file grows by the depth of its nesting only.
 */
export function instrument(source: string, mutants: readonly NamedMutant[]): string {
	const places = Map.groupBy(mutants, ({ start, end }) => `${start}-${end}`).values();
	// outer places first, so that what lies inside comes after
	const sorted = [...places].sort(([a], [b]) => (a && b ? a.start - b.start || b.end - a.end : 0));
	let next = 0;
	const write = (start: number, end: number): string => {
		let text = "";
		let at = start;
		for (let place = sorted[next]; place?.[0] && place[0].start < end; place = sorted[next]) {
			const [{ start: from, end: to }] = place as [NamedMutant];
			next++;
			text += source.slice(at, from);
			const chosen = place.map(({ id, became }) => `__mutant(${JSON.stringify(id)}) ? (${became}) : `).join("");
			text += `(${chosen}(${write(from, to)}))`;
			at = to;
		}
		return text + source.slice(at, end);
	};
	return `${prelude}${write(0, source.length)}`;
}

/**
 * On one line before the file's own first: `.mutant`, in the folder where a process starts, names the mutant that is on;
 * while `.mutants-seen` is there, each that is passed by is written into it, with the test that runs or, in another process, that ran when
 * it was started. In a browser, and where no file may be read, none is on.
 */
const prelude = `
	globalThis.__mutant ??= (() => {
		const fs = globalThis.process?.getBuiltinModule?.("node:fs");
		try {
			const active = fs.readFileSync(".mutant", "utf8");
			const seen = fs.existsSync(".mutants-seen") && new Set();
			const test = seen && fs.existsSync(".test") ? fs.readFileSync(".test", "utf8") : "";
			return (id) => {
				const passage = seen && id + " " + (globalThis.__test ?? test);
				if (seen && !seen.has(passage)) {
					seen.add(passage);
					try { fs.appendFileSync(".mutants-seen", passage + "\\n"); } catch {}
				}
				return id === active;
			};
		} catch {
			return () => false;
		}
	})();`.replaceAll(/\n\s*/g, " ");
