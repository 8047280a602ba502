// The SQL that builds companies from staged tables, shared by imports and updates.
import { partnerLexemes } from "../search/lexemes.ts";

/** Whether an establishment has another activity than its unit. Codes of different nomenclatures cannot be compared. */
function differsFromUnit(establishment: string): string {
	return `${establishment}.naf_code <> coalesce(unit.naf_code, '') and ${establishment}.naf_nomenclature is not distinct from unit.naf_nomenclature`;
}

/** The columns of a company without its id, as expressions over stagedSources. Fixed-width ones come first, as in the live table. */
export const companyColumns = {
	name_key: "name_key",
	alias_key: "alias_key",
	created_on: "created_on",
	updated_on: "greatest(unit.updated_on, head.updated_on)",
	masked: "masked",
	single_partner: "case when not masked then single_partner end",
	siren: "unit.siren",
	status: "case when removed_on is null then status else 'removed' end",
	legal_category: "legal_category",
	naf_code: "unit.naf_code",
	naf_nomenclature: "unit.naf_nomenclature",
	section: "section",
	nic: "coalesce(head.nic, unit.nic)",
	commune: "head.commune",
	postal_code: "postal_code",
	name: "name",
	address: "address",
	address_complement: "address_complement",
	city: "city",
	acronym: "acronym",
	trade_names: "head.trade_names",
	staff_band: "staff_band",
	staff_year: "staff_year",
	category: "category",
	head_office_naf_code: `case when ${differsFromUnit("head")} then head.naf_code end`,
	lexemes: `concat_ws(' ', unit.lexemes, head.lexemes, case when not masked then branch.lexemes end,
		filter_lexemes('D' || department, form, 'S' || section),
		case when masked then null when single_partner then '${partnerLexemes.single}' when not single_partner then '${partnerLexemes.several}' end
	)::tsvector`,
};

/** The columns for a select list. */
export const selectedColumns = Object.entries(companyColumns)
	.map(([name, expression]) => `${expression} as ${name}`)
	.join(", ");

/**
 * Joins units with their head office, the number and trade signs of their branches, and the RNE's data.
 * @param staged returns the full name of a staged table.
 */
export const stagedSources = (staged: (table: string) => string) => `
	(${staged("staged_units")} unit
	left join ${staged("staged_heads")} head on head.siren = unit.siren and not masked
	left join (
		select siren, count(*) as branches,
			array_to_string((array_agg(distinct lexemes) filter (where lexemes is not null))[1:50], ' ') as lexemes
		from ${staged("staged_branches")}
		group by siren
	) branch on branch.siren = unit.siren
	left join company_registrations registration on registration.siren = unit.siren)`;

/** The number of establishments that a company's page lists besides its head office. */
const maxListed = 50;

/**
 * Selects the rows of company_branches: the open establishments other than head offices, without those of masked units.
 * @param staged returns the full name of a staged table.
 */
export const selectBranches = (staged: (table: string) => string) => `
	select siren, count(*)::integer as branches,
		array_to_string((array_agg(distinct trade_name) filter (where trade_name is not null))[1:${maxListed}], E'\\n') as trade_names,
		'[' || coalesce(array_to_string((array_agg(entry order by entry) filter (where entry is not null))[1:${maxListed}], ','), '') || ']' as list
	from (
		select siren, branch.trade_name,
			case when ${differsFromUnit("branch")} then left(entry, -1) || ',' || to_json(branch.naf_code) || ']' else entry end as entry
		from ${staged("staged_branches")} branch join ${staged("staged_units")} unit using (siren)
		where not masked
	) branch
	group by siren`;

/** The SET clause that masks a company: only its SIREN, status and legal category remain. */
export const maskingClause = Object.keys(companyColumns)
	.filter((name) => !["siren", "status", "legal_category"].includes(name))
	.map((name) => `${name} = ${{ masked: "true", name_key: "0", lexemes: "''" }[name] ?? "null"}`)
	.join(", ");
