-- A wrong invoice is replaced. Apart from 0021, so that the table of orders is not locked while these indexes are built.

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
