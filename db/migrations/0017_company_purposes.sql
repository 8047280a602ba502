-- What the RNE says beside: the purpose of a company, the day on which its financial year ends (1231 is 31 December), and the year in which
-- its duration ends. Not in companies, whose rows searches read.
alter table company_registrations
	add purpose text, add purpose_as_of timestamptz,
	add year_end smallint check (year_end between 101 and 1231), add year_end_as_of timestamptz,
	add ends_in smallint, add ends_in_as_of timestamptz;
