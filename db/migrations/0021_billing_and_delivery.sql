-- A company that pays has its SIREN and VAT number on the invoice, and a letter may go to another address.
-- Without defaults, so that no row is rewritten.
alter table orders
	add column billing_siren text,
	add column billing_vat text,
	-- null: as billed
	add column delivery_name text,
	add column delivery_complement text,
	add column delivery_address text,
	add column delivery_postal_code text,
	add column delivery_city text;
