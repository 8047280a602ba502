-- When the register said so, field by field: an entry that leaves a field out says nothing of it. Null in rows that are older than these
-- columns, which have as_of for all their fields.
alter table company_registrations
	add registered_on_as_of timestamptz,
	add removed_on_as_of timestamptz,
	add capital_as_of timestamptz,
	add duration_years_as_of timestamptz,
	add single_partner_as_of timestamptz;
