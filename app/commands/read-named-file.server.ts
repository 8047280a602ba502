import { readFile } from "node:fs/promises";
import { resolveCommandPath, standardInput } from "../../server/command-path.ts";
import { getErrorCode } from "../../server/types/errors.ts";
import { type CommandCall, type RefusedCommand, refuse } from "./command.ts";

/** Reads the named file, or standard input for « - ». */
export async function readNamedFile(
	{ readInput }: Pick<CommandCall, "readInput">,
	name: string,
): Promise<{ ok: true; bytes: Uint8Array } | RefusedCommand> {
	if (name === standardInput) {
		const bytes = await readInput();
		return bytes ? { ok: true, bytes } : refuse("Rien n’arrive sur l’entrée standard : donnez-y le fichier, ou nommez-le.");
	}
	try {
		return { ok: true, bytes: new Uint8Array(await readFile(resolveCommandPath(name))) };
	} catch (error) {
		return refuse(`Le fichier ${name} ne se lit pas (${getErrorCode(error)}).`);
	}
}
