import type { Database } from "../../../server/database/database.ts";
import { countGroups, type GroupRow } from "../companies.store.server.ts";
import { readCompanyText } from "../company-text.ts";
import { findDepartment } from "../departments.ts";
import { legalForms, listLegalForms } from "../legal-forms.ts";
import { sectors } from "../sectors.ts";
import { type CompanySearch, type FilterCounts, maxTotal, normalizeQuery } from "./company-search.ts";
import { readDocumentWords } from "./document-words.ts";
import { parseQuery } from "./lexemes.ts";

/**
 * Counts the results for each value of a filter, with the other filters unchanged.
 * @param corrected the query that `searchCompanies` searched in place of the given one, if any.
 * @returns null for a number, for an empty query, and for more than 1,000 companies, which would take long to count.
 */
export async function countFilters(db: Database, search: CompanySearch, corrected: string | null): Promise<FilterCounts | null> {
	const query = normalizeQuery(search.query);
	const parsed = parseQuery(corrected ?? query);
	const asked = readDocumentWords(query)?.rest ?? query;
	if (asked === "" || readCompanyText(asked).kind !== "name" || parsed.words.length === 0) return null;
	const groups = await countGroups(db, parsed, maxTotal);
	if (groups === null) return null;
	const inDepartment = (group: GroupRow) => search.departement === null || findGroupDepartment(group) === search.departement;
	const hasForm = (group: GroupRow) => search.formes.length === 0 || listGroupForms(group).some((form) => search.formes.includes(form));
	const inSector = (group: GroupRow) => search.secteur === null || findGroupSector(group) === search.secteur;
	return {
		departement: count(
			groups.filter((group) => hasForm(group) && inSector(group)),
			(group) => {
				const department = findGroupDepartment(group);
				return department ? [department] : [];
			},
		),
		forme: count(
			groups.filter((group) => inDepartment(group) && inSector(group)),
			listGroupForms,
		),
		secteur: count(
			groups.filter((group) => inDepartment(group) && hasForm(group)),
			(group) => {
				const sector = findGroupSector(group);
				return sector ? [sector] : [];
			},
		),
	};
}

const findGroupDepartment = ({ place }: GroupRow) => (place === null ? null : findDepartment(place));
const listGroupForms = (group: GroupRow) =>
	listLegalForms(group.legal_category, group.single_partner).filter((form) => legalForms.includes(form));
const findGroupSector = ({ section }: GroupRow) => sectors.find(({ sections }) => sections.some((each) => each === section))?.value ?? null;

function count<Value extends string>(groups: GroupRow[], getValues: (group: GroupRow) => Value[]): Partial<Record<Value, number>> {
	const counts: Partial<Record<Value, number>> = {};
	for (const group of groups) for (const value of getValues(group)) counts[value] = (counts[value] ?? 0) + group.companies;
	return counts;
}
