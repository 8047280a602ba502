import { readName } from "../company-text.ts";

/** A query that names a document, a number or a kind of business beside a company: « extrait Kbis de SNCF », « siren danone ». */
export interface DocumentWords {
	/** As typed: « extrait Kbis ». */
	document: string;
	/** The query without them and without a label; empty when there is nothing else. */
	rest: string;
	/** Whether they name sole traders, who have no Kbis: « auto-entrepreneur martin ». */
	namesSoleTrader: boolean;
}

/** Words with the marks around them and the « de » that links them to a name. */
const listed = (...names: string[]) =>
	new RegExp(String.raw`[\s,;]{0,3}(?<![\p{L}\p{N}])(${names.join("|")})(?![\p{L}\p{N}])[\s,;:]{0,3}(?:(?:de|du|pour)\s|d['’]\s?)?`, "giu");

/** The document as people write it, or another one. */
const documentNames = listed(
	String.raw`(?:extraits?\s(?:de\s|du\s)?)?k[\s.\p{Pd}]{0,3}bis`,
	String.raw`extraits?\s(?:(?:de\s|du\s)?(?:k|rcs|rne|registre\sdu\scommerce(?:\set\sdes\ssoci[ée]t[ée]s)?)|d\s?['’]?\s?immatriculation)`,
	String.raw`avis\sde\ssituation(?:\s(?:insee|sirene))?`,
	"statuts",
	String.raw`(?:(?:n[°o]?|num[ée]ro)\s?(?:de\s)?)?sire[nt]`,
);

const soleTraders = listed(
	String.raw`(?:en\s)?(?:auto|micro)[\s\p{Pd}]?entrepreneu(?:r|se)s?`,
	String.raw`(?:en\s)?(?:auto|micro)[\s\p{Pd}]?entreprises?`,
);

/** What people add to the words above; alone it may be a name. */
const additions = listed("gratuite?s?", "gratuitement", String.raw`en\sligne`, "pdf");

/** Whether a query is in quotation marks: all its words are then searched as they are. */
export const isQuoted = (query: string): boolean => /^["“«].*["”»]$/su.test(query);

/** @param query on one line. @returns null when it names none of them, or is in quotation marks. */
export function readDocumentWords(query: string): DocumentWords | null {
	if (isQuoted(query)) return null;
	const names: string[] = [];
	const remove = (text: string, listedNames: RegExp) =>
		text.replace(listedNames, (_, name: string) => {
			names.push(name);
			return " ";
		});
	const withoutDocument = remove(query, documentNames);
	const documents = names.length;
	const withoutKind = remove(withoutDocument, soleTraders);
	if (names.length === 0) return null;
	const namesSoleTrader = names.length > documents;
	const rest = readName(remove(withoutKind, additions).replace(/(?<![\s:])[\s:]+$/u, ""));
	return { document: names.join(" "), rest, namesSoleTrader };
}

/** A query without its words for the document, where it has others. */
export const removeDocumentWords = (query: string): string => readDocumentWords(query)?.rest || query;
