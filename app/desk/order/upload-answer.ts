import { isShutOut, shutOut } from "../shell/keep-page.ts";

/** What became of a file dropped on an order. `order`: the order that has it already. */
export type DropAnswer =
	| { state: "kept"; text: string }
	| { state: "refused"; text: string; order: string | null }
	/** The browser had no network; it sends the same file again. */
	| { state: "offline"; text: string }
	/** The session was over or the role taken away: nothing was sent. */
	| { state: "shut-out"; text: string };

/** One of several dropped files. */
export interface FileLine {
	fileName: string;
	ok: boolean;
	text: string;
	/** The numbers of the orders that it belongs to, or may belong to. */
	orders: string[];
}

export interface FilesAnswer {
	lines: FileLine[];
	/** A sentence about all of them; null when each has its line. */
	text: string | null;
}

/** For `clientAction`: without network, the page keeps the file and sends it again; for somebody who was shut out, it stays as it is. */
export async function keepUnsentFile(serverAction: () => Promise<DropAnswer>): Promise<DropAnswer> {
	try {
		return await serverAction();
	} catch (error) {
		const again = "Le fichier n’est pas enregistré\u00a0: connectez-vous dans un autre onglet, puis déposez-le de nouveau.";
		if (isShutOut(error)) return { state: "shut-out", text: `${shutOut} ${again}` };
		if (!(error instanceof TypeError)) throw error;
		return { state: "offline", text: "Pas de réseau. Le fichier reste ici et part dès que le réseau revient." };
	}
}
