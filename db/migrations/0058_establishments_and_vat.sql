-- The NAF code of the head office where it differs from the company's. Like the other columns, each import fills it.
alter table companies add column head_office_naf_code text;

-- Entries of company_branches.list may end with the establishment's NAF code, where it differs from the company's:
-- [NIC, trade name, street, complement, postal code, city, commune, NAF code]. An establishment that is not fully diffused is [NIC].

-- Active VAT numbers (DGFiP), replaced as a whole by each companies:import-vat. Imports of companies leave them as they are.
create table company_vat_numbers (
	-- the SIREN as a number: six million rows take a quarter less than with its nine digits as text
	siren integer primary key,
	-- the two-character keys of its numbers, one after the other: « 27 » for FR27552032534, « 270A » for two numbers
	vat_keys text collate "C" not null check (length(vat_keys) % 2 = 0 and vat_keys <> '')
);

alter table company_sources drop constraint company_sources_name_check;
alter table company_sources add constraint company_sources_name_check check (name in ('sirene', 'rne', 'vat'));

-- the embedded companies are emptied: the next start imports them again, with the activities of their establishments
do $$
begin
	if exists (select from company_sources where name = 'sirene' and companies = 24360 and as_of = '2026-05-13') then
		truncate companies, company_words, company_branches, company_sources;
	end if;
end
$$;
