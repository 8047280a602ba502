-- A company that pays has its SIREN and VAT number on the invoice, a letter may go to another address, and a wrong invoice is replaced.

-- Orders first, as the shop locks them; without defaults, so that no row is rewritten.
alter table orders
	add column billing_siren text,
	add column billing_vat text,
	-- null: as billed
	add column delivery_name text,
	add column delivery_complement text,
	add column delivery_address text,
	add column delivery_postal_code text,
	add column delivery_city text;

-- the cancelled invoice in whose place this one is
alter table invoices
	add column replaces uuid references invoices;
create unique index invoices_replaced_once on invoices (replaces) where replaces is not null;
create unique index invoices_first_of_order on invoices (order_id) where kind = 'invoice' and replaces is null;
drop index invoices_one_per_order;
-- A credit note names its refund. That of a cancelled invoice has none, as no money goes back.
create unique index invoices_cancelled_once on invoices (corrects) where kind = 'credit_note' and refund_id is null;
-- Not validated, as its lock would wait for a scan: the rows before it satisfied a stricter one.
alter table invoices
	drop constraint invoices_check,
	add constraint invoices_check check (
		case kind
			when 'invoice' then refund_id is null and corrects is null
			else corrects is not null and replaces is null
		end
	) not valid;
