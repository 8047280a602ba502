import { readName } from "../company-text.ts";

/** A query that names the document beside a company: « extrait Kbis de SNCF ». */
export interface DocumentWords {
	/** As typed: « extrait Kbis ». */
	document: string;
	/** The query without them and without a label; empty when there is nothing else. */
	rest: string;
}

/** The document as people write it, with the marks around it and the « de » that links it to a name. */
const documentName =
	/[\s,;]{0,3}(?<![\p{L}\p{N}])((?:extraits?\s(?:de\s|du\s)?)?k[\s.\p{Pd}]{0,3}bis|extraits?\s(?:(?:de\s|du\s)?(?:k|rcs|rne|registre\sdu\scommerce(?:\set\sdes\ssoci[ée]t[ée]s)?)|d\s?['’]?\s?immatriculation))(?![\p{L}\p{N}])[\s,;:]{0,3}(?:(?:de|du|pour)\s|d['’]\s?)?/giu;

/** Whether a query is in quotation marks: all its words are then searched as they are. */
export const isQuoted = (query: string): boolean => /^["“«].*["”»]$/su.test(query);

/** @param query on one line. @returns null when it does not name the document, or is in quotation marks. */
export function readDocumentWords(query: string): DocumentWords | null {
	if (isQuoted(query)) return null;
	const names: string[] = [];
	const rest = query.replace(documentName, (_, name: string) => {
		names.push(name);
		return " ";
	});
	return names.length > 0 ? { document: names.join(" "), rest: readName(rest.replace(/[\s:]+$/u, "")) } : null;
}

/** A query without its words for the document, where it has others. */
export const removeDocumentWords = (query: string): string => readDocumentWords(query)?.rest || query;
