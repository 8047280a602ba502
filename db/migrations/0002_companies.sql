-- Companies: derived data, replaced as a whole by each import.
-- The import reads the indexes of these tables and makes the same on the tables that replace them.

create table companies (
	-- the order of importance: 1 is the first that a search shows
	id integer primary key,
	siren text collate "C" not null,
	status text not null check (status in ('active', 'ceased', 'removed')),
	-- not fully diffused at the unit's own request (statutDiffusion P): nothing but what stands above and its legal category
	masked boolean not null,
	name text,
	-- the words of the name, for a search of the whole name
	exact_name text not null,
	legal_category text not null,
	-- null where the RNE does not say
	single_partner boolean,
	naf_code text,
	naf_nomenclature text,
	siret text,
	address text,
	address_complement text,
	postal_code text,
	city text,
	created_on date,
	registered_on date,
	capital numeric(20, 2),
	capital_currency text,
	-- when INSEE last changed the unit or its head office
	updated_on date,
	lexemes tsvector not null
);
create unique index companies_siren on companies (siren) include (id);
create index companies_exact_name on companies using hash (exact_name);

-- four tiers of importance: a search goes from one to the next and stops as soon as its page is full
create index companies_lexemes_1 on companies using gin (lexemes) with (fastupdate = off) where id <= 2500;
create index companies_lexemes_2 on companies using gin (lexemes) with (fastupdate = off) where id > 2500 and id <= 40000;
create index companies_lexemes_3 on companies using gin (lexemes) with (fastupdate = off) where id > 40000 and id <= 640000;
create index companies_lexemes_4 on companies using gin (lexemes) with (fastupdate = off) where id > 640000;

-- the vocabulary, and each word with one letter less: two words that share such a rest are a typing error apart
create table company_words (
	word text collate "C" primary key,
	companies integer not null,
	rests text[] collate "C" not null
);
create index company_words_rests on company_words using gin (rests) with (fastupdate = off);

-- where the data come from, for the pages to say
create table company_sources (
	name text primary key check (name in ('sirene', 'rne')),
	-- the newest change in the data
	as_of date,
	imported_at timestamptz not null,
	companies integer not null
);
