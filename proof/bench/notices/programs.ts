import { readFileSync } from "node:fs";
import type pg from "pg";
import { type Filled, runProgram } from "../programs.ts";

const importProgram = new URL("./import-program.ts", import.meta.url);
const copyProgram = new URL("./copy-program.ts", import.meta.url);

/** The memory that `npm run companies:notices` gives to Node. */
const memory =
	/"companies:notices": "node run\.mjs ((?:--\S+ )*)main/.exec(readFileSync("package.json", "utf8"))?.[1]?.trim().split(" ") ?? [];

/** Imports a file of notices in its own process, as the command does. */
export const runImport = (undo: AsyncDisposableStack, connection: pg.ClientConfig, file: string): Promise<Filled> =>
	runProgram(undo, importProgram, connection, { NOTICES: file }, memory);

/** Copies the lines of the file in its own process. */
export const runCopy = (undo: AsyncDisposableStack, connection: pg.ClientConfig, file: string): Promise<Filled> =>
	runProgram(undo, copyProgram, connection, { NOTICES: file });
