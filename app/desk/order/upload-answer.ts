import { keepUnsent, shutOutSentence, type Unsent } from "../shell/keep-page.ts";

/** What became of a file dropped on an order. `order`: the order that has it already. */
export type DropAnswer =
	| { state: "kept"; text: string }
	| { state: "refused"; text: string; order: string | null }
	/** The file was not kept. Without network, the browser sends it again. */
	| { state: Unsent; text: string };

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
	/** Why nothing was read. */
	unsent?: Unsent;
}

/** For `clientAction`: without network, the page keeps the file and sends it again; who was shut out drops it again. */
export const keepUnsentFile = <Answer>(serverAction: () => Promise<Answer>): Promise<Answer | DropAnswer> =>
	keepUnsent(serverAction, (state, sentence) => ({ state, text: state === "failed" ? `${sentence} ${notKept}` : unsentTexts[state] }));

/** After a failure. */
export const notKept = "Le fichier n’est pas enregistré\u00a0: déposez-le de nouveau.";

const unsentTexts: Record<Exclude<Unsent, "failed">, string> = {
	offline: "Pas de réseau. Le fichier reste ici et part dès que le réseau revient.",
	"shut-out": `${shutOutSentence} Le fichier n’est pas enregistré\u00a0: connectez-vous dans un autre onglet, puis déposez-le de nouveau ici.`,
};

/** For a browser that knows that it has no network. */
export const offlineAnswer: DropAnswer = { state: "offline", text: unsentTexts.offline };
