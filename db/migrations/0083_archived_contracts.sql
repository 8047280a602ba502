-- Contracts of 120 € and more are kept for ten years from their delivery (C. conso. art. L213-1, D213-1, D213-2). After three years, or when
-- the customer asks for an erasure, only the contract stays: the order, its terms, the confirmation and the invoice.
alter table orders add column archived_at timestamptz;

-- Here, as for an erasure: the previous version, which runs during an upgrade, does not know these tables.
create function keep_contract_only() returns trigger language plpgsql as $$
begin
	delete from sent_emails where order_id = new.id and kind <> 'confirmation';
	delete from document_shares using documents where documents.id = document_shares.document_id and documents.order_id = new.id;
	return null;
end $$;
create trigger archived_order_keeps_its_contract after update of archived_at on orders for each row
	when (new.archived_at is not null) execute function keep_contract_only();
