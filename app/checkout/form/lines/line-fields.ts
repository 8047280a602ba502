export { maxLines } from "../../../catalogue/settings/capacity.ts";

/** Of a company, in characters; no name is longer. */
export const maxCompanyLength = 200;

/** Of a reference, in characters. */
export const maxReferenceLength = 100;

/** Of the field for a list, in characters: more than three times two hundred lines of the greatest length. */
export const maxListLength = 200_000;

/** The form has this field, also when its last line was removed. */
export const linesField = "lignes";

/** What the page showed of its lines (shown-lines.server.ts). */
export const shownField = "vues";

/** The field for further companies; the heading of the list; its good lines, folded. */
export const [entryId, listTitleId, readyLinesId] = ["entreprises", "entreprises-titre", "lignes-pretes"] as const;

/** The names of the fields of a line. @param place from 1. */
export const lineFields = (place: number) => ({
	company: `entreprise-${place}`,
	choice: `choix-${place}`,
	service: `service-${place}`,
	reference: `reference-${place}`,
});

/** Lines that one sentence names. */
export const maxPlaces = 12;
