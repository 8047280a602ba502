import { readdirSync } from "node:fs";
import type { Bench } from "./bench.ts";

const ending = ".bench.ts";

/** What `npm run bench -- <name>` can be asked for: the `*.bench.ts` files of this folder. `npm run test:rest` makes a smoke run of each. */
export const benchNames: readonly string[] = readdirSync(import.meta.dirname)
	.filter((file) => file.endsWith(ending))
	.map((file) => file.slice(0, -ending.length))
	.sort();

export const loadBench = async (name: string): Promise<Bench> => (await import(`./${name}.bench.ts`)).default;
