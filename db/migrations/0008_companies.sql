-- Companies: data of SIRENE, of the RNE and of the DGFiP, replaced as a whole by each import (docs/decisions/0007-import-by-staging.md).
-- Filled by app/companies/registry, read by app/companies.

-- The import reads the indexes of this table and makes the same on the one that replaces it.
create table companies (
	-- the order of importance: 1 is the first that a search shows; fixed-width columns first, as ten million rows are padded otherwise
	id integer primary key with (fillfactor = 100),
	name_key integer not null, -- a hash of the words of the name, for a search of the whole name
	alias_key integer, -- the same of its acronym or usual name, where it has one
	created_on date,
	updated_on date, -- when INSEE last changed the unit or its head office
	-- not fully diffused at the unit's own request (statutDiffusion P): nothing but siren, status and legal category
	masked boolean not null,
	single_partner boolean, -- null where the RNE does not say
	siren text collate "C" not null,
	status text not null check (status in ('active', 'ceased', 'removed')),
	legal_category text not null, naf_code text,
	naf_nomenclature text, -- null is NAF rév. 2, which nearly all have
	section text, -- section of the activity, where a filter needs it
	nic text, -- of the head office: siren and nic are its SIRET
	commune text, -- INSEE's code of the commune
	postal_code text, name text, address text, address_complement text, city text,
	lexemes tsvector not null, -- each word has a weight: A in the name, B in trade names or the acronym, D in the place
	acronym text,
	trade_names text, -- usual names and the trade signs of the head office, one a line
	staff_band text, staff_year smallint, -- INSEE's code of the number of employees, and its year
	category text, -- PME, ETI or GE
	head_office_naf_code text -- the NAF code of the head office where it differs from the company's
);
-- packed, as an import replaces them before they grow
create unique index companies_siren on companies (siren) include (masked, id) with (fillfactor = 100);
create index companies_name_key on companies (name_key) with (fillfactor = 100);
create index companies_alias_key on companies (alias_key) where alias_key is not null;
-- tiers of importance: a search goes from one to the next and stops as soon as it knows enough
create index companies_lexemes_1 on companies using gin (lexemes) with (fastupdate = off) where id <= 2500;
create index companies_lexemes_2 on companies using gin (lexemes) with (fastupdate = off) where id > 2500 and id <= 40000;
create index companies_lexemes_3 on companies using gin (lexemes) with (fastupdate = off) where id > 40000 and id <= 320000;
create index companies_lexemes_4 on companies using gin (lexemes) with (fastupdate = off) where id > 320000 and id <= 960000;
create index companies_lexemes_5 on companies using gin (lexemes) with (fastupdate = off) where id > 960000 and id <= 1920000;
create index companies_lexemes_6 on companies using gin (lexemes) with (fastupdate = off) where id > 1920000 and id <= 3200000;
create index companies_lexemes_7 on companies using gin (lexemes) with (fastupdate = off) where id > 3200000 and id <= 5120000;
create index companies_lexemes_8 on companies using gin (lexemes) with (fastupdate = off) where id > 5120000;

-- Open establishments other than the head office, one row a company that has any.
create table company_branches (
	siren text collate "C" primary key with (fillfactor = 100), branches integer not null,
	trade_names text, -- their trade names, each once, one a line
	-- The first fifty, as JSON: [NIC, trade name, street, complement, postal code, city, commune] each, then the NAF code where it differs
	-- from the company's. An establishment that is not fully diffused is [NIC].
	list text not null
);

-- the vocabulary: in how many companies each word is, at least
create table company_words (word text collate "C" primary key with (fillfactor = 100), companies integer not null);
-- a typing error leaves one half of a word as it was
create index company_words_first_half on company_words (length(word), left(word, length(word) / 2));
create index company_words_second_half on company_words (length(word), right(word, (length(word) + 1) / 2));
-- words that more companies have than are ever counted: of a beginning, one of them says enough
create index company_words_frequent on company_words (word) where companies > 1000;

-- where the data come from, for the pages to say
create table company_sources (
	name text primary key check (name in ('sirene', 'rne', 'vat')),
	as_of date, -- the newest change in the data
	imported_at timestamptz not null, companies integer not null
);

-- What the national register of enterprises (RNE) says; an import of SIRENE leaves it as it is.
create table company_registrations (
	siren text collate "C" primary key,
	registered_on date, removed_on date, duration_years smallint, single_partner boolean,
	capital numeric(20, 2), capital_currency text,
	as_of date -- the day on which the register said so
);

-- Active VAT numbers (DGFiP), replaced as a whole by each companies:import-vat. Imports of companies leave them as they are.
create table company_vat_numbers (
	siren integer primary key, -- the SIREN as a number: six million rows take a quarter less than with its nine digits as text
	-- the two-character keys of its numbers, one after the other: « 27 » for FR27552032534, « 270A » for two numbers
	vat_keys text collate "C" not null check (length(vat_keys) % 2 = 0 and vat_keys <> '')
);

-- Companies hidden at the request of the person concerned. Imports read it: a SIREN in it stays masked, whatever INSEE diffuses
-- (GDPR art. 21).
create table hidden_companies (
	siren text collate "C" primary key,
	reason text not null, hidden_at timestamptz not null,
	-- the row of companies as imports would show it, without its id: null while no import knows the SIREN; read by companies:show only
	withheld jsonb
);

-- What a company is filtered by: each lexeme, and any two of them together. Made of nothing but ||, so that the planner can put it
-- into the statement of an import, which is then a sixth quicker.
create function filter_lexemes(department text, form text, section text) returns text language sql immutable parallel safe as $$
	select coalesce(department || ' ', '') || coalesce(form || ' ', '') || coalesce(section || ' ', '')
		|| coalesce(department || form || ' ', '') || coalesce(department || section || ' ', '') || coalesce(form || section, '');
$$;
