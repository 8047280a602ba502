import { maxLines, maxListLength } from "./line-fields.ts";
import { type ListFileOutcome, maxFileBytes, readListFile } from "./list-file.ts";
import { maxRows, type ReadList, readList } from "./read-list.ts";
import { formatTypedLines } from "./typed-lines.ts";

/** The first step of a purchase: the list, shown again with what was typed. */
export interface ListState {
	text: string;
	/** Of the field, or of the file. */
	errors: { entreprises?: string; fichier?: string };
}

export type ListAnswer = ({ ok: true } & ReadList) | { ok: false; status: 400 | 413; state: ListState };

const formatNumber = (count: number): string => count.toLocaleString("fr-FR");

const mostLines = `Vous pouvez commander ${maxLines} extraits à la fois\u00a0: retirez des lignes, ou passez plusieurs commandes.`;

export const listTooLong = `Votre liste est trop longue\u00a0: ${formatNumber(maxListLength)} caractères au plus. ${mostLines}`;

const fileErrors: Record<Extract<ListFileOutcome, { ok: false }>["code"], string> = {
	spreadsheet: "Ce classeur ne se lit pas ici. Enregistrez-le au format .xlsx ou CSV, ou copiez ses cellules dans le champ ci-dessus.",
	unreadable: "Ce fichier n’est pas un texte lisible. Choisissez un fichier CSV ou .xlsx.",
	"too-large": `Ce fichier est trop volumineux\u00a0: ${maxFileBytes / 1024 / 1024}\u00a0Mo au plus.`,
	"too-many": `Ce fichier a plus de ${formatNumber(maxRows)} lignes. ${mostLines}`,
	empty: "Ce fichier ne contient aucune entreprise.",
};

/**
 * Reads the fields `entreprises` (one company a line) and `fichier` (CSV or .xlsx); both together make one list.
 * @param isTruncated the file was too large to be read at all.
 */
export async function answerList(form: FormData, isTruncated: boolean): Promise<ListAnswer> {
	const text = String(form.get("entreprises") ?? "");
	if (isTruncated) return { ok: false, status: 413, state: { text, errors: { fichier: fileErrors["too-large"] } } };
	if (text.length > maxListLength) return { ok: false, status: 413, state: { text, errors: { entreprises: listTooLong } } };
	const typed = readList(text);
	const file = form.get("fichier");
	const read = file instanceof File && file.size > 0 ? await readFile(file) : null;
	if (read?.ok === false) {
		const status = read.code === "too-large" ? 413 : 400;
		return { ok: false, status, state: { text, errors: { fichier: fileErrors[read.code] } } };
	}
	const lines = [...typed.lines, ...(read?.lines ?? [])];
	if (lines.length === 0) return refuse(text, "Indiquez au moins une entreprise, ou choisissez un fichier.");
	// the lines of the file too: they may be shortened here, and the file need not be chosen again
	if (lines.length > maxLines) return refuse(read === null ? text : formatTypedLines(lines), describeTooMany(lines.length));
	return { ok: true, lines, leftOut: [...typed.leftOut, ...(read?.leftOut ?? [])] };
}

/** A file is only read when its size is right. */
const readFile = async (file: File): Promise<ListFileOutcome> =>
	file.size > maxFileBytes ? { ok: false, code: "too-large" } : readListFile(new Uint8Array(await file.arrayBuffer()));

const refuse = (text: string, entreprises: string): ListAnswer => ({ ok: false, status: 400, state: { text, errors: { entreprises } } });

export const describeTooMany = (count: number): string => `Votre liste a ${formatNumber(count)} lignes. ${mostLines}`;
