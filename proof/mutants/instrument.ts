import type { Mutant } from "./operators.ts";

/** A mutant with the id that activates it. */
export interface NamedMutant extends Mutant {
	id: string;
	file: string;
}

/**
 * Writes all mutants into one file, each behind a switch, so that one build serves them all.
 * Nested mutants stand in the original's branch only, so that the file grows linearly with their depth.
 */
export function instrument(source: string, mutants: readonly NamedMutant[]): string {
	const places = Map.groupBy(mutants, ({ start, end }) => `${start}-${end}`).values();
	// outer places first, then the places inside
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
 * Inserted on one line before the first line. `.mutant` in the working directory names the active mutant. While `.mutants-seen` exists,
 * each reached mutant is written into it, with the running test, or in a child process the test that started it.
 * In a browser, and where no file may be read, no mutant is active.
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
