import type { Database } from "../../../server/database/database.ts";
import { countGroups, type GroupRow } from "../companies.store.server.ts";
import { departmentOf } from "../departments.ts";
import { legalForms, legalFormsOf } from "../legal-forms.ts";
import { sectors } from "../sectors.ts";
import { leadingDigits } from "../siren.ts";
import { type CompanySearch, cleanText, type FilterCounts, largestTotal } from "./company-search.ts";
import { queryWords } from "./lexemes.ts";

/**
 * How many results each value of a filter would leave, the other filters as they are.
 * @param corrected what was searched in place of the query, as `searchCompanies` says it.
 * @returns null where nothing needs counting (a number, no words) or counting would take long: more than 1 000 companies have the words.
 */
export async function countFilters(db: Database, search: CompanySearch, corrected: string | null): Promise<FilterCounts | null> {
	const query = cleanText(search.query);
	const words = queryWords(corrected ?? query);
	if (leadingDigits(query) || words.length === 0) return null;
	const groups = await countGroups(db, words, largestTotal);
	if (groups === null) return null;
	const inDepartment = (group: GroupRow) => search.departement === null || departmentOfGroup(group) === search.departement;
	const ofForm = (group: GroupRow) => search.formes.length === 0 || formsOf(group).some((form) => search.formes.includes(form));
	const inSector = (group: GroupRow) => search.secteur === null || sectorOf(group) === search.secteur;
	return {
		departement: count(
			groups.filter((group) => ofForm(group) && inSector(group)),
			(group) => {
				const department = departmentOfGroup(group);
				return department ? [department] : [];
			},
		),
		forme: count(
			groups.filter((group) => inDepartment(group) && inSector(group)),
			formsOf,
		),
		secteur: count(
			groups.filter((group) => inDepartment(group) && ofForm(group)),
			(group) => {
				const sector = sectorOf(group);
				return sector ? [sector] : [];
			},
		),
	};
}

const departmentOfGroup = ({ place }: GroupRow) => (place === null ? null : departmentOf(place));
const formsOf = (group: GroupRow) => legalFormsOf(group.legal_category, group.single_partner).filter((form) => legalForms.includes(form));
const sectorOf = ({ section }: GroupRow) =>
	sectors.find(({ sections }) => (sections as readonly (string | null)[]).includes(section))?.value ?? null;

function count<Value extends string>(
	groups: GroupRow[],
	valuesOf: (group: GroupRow) => Value[],
): Partial<Record<Value, number>> & Record<string, number> {
	const counts: Record<string, number> = {};
	for (const group of groups) for (const value of valuesOf(group)) counts[value] = (counts[value] ?? 0) + group.companies;
	return counts as Partial<Record<Value, number>> & Record<string, number>;
}
