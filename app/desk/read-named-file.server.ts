import { readFile } from "node:fs/promises";
import { resolveCommandPath, standardInput } from "../../server/command-path.ts";
import { getErrorCode } from "../../server/types/errors.ts";
import type { CommandCall } from "./command.ts";

/** A file that the operator names, or what is piped in for « - ». @returns a sentence where it cannot be read. */
export async function readNamedFile({ readInput }: Pick<CommandCall, "readInput">, name: string): Promise<Uint8Array | string> {
	if (name === standardInput) return (await readInput()) ?? "Rien n’arrive sur l’entrée standard : donnez-y le fichier, ou nommez-le.";
	try {
		return new Uint8Array(await readFile(resolveCommandPath(name)));
	} catch (error) {
		return `Le fichier ${name} ne se lit pas (${getErrorCode(error)}).`;
	}
}
