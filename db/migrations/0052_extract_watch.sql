-- The watch over delivered extracts: its customer may end it, and each notice of the bulletin is told once.

alter table orders
	-- the customer asked for no more e-mails about what is published after the extract
	add column watch_ended_at timestamptz;

alter table mails
	-- the notices of the bulletin that the e-mail tells, sorted; they go with the customer's erasure
	add column notices text[] collate "C",
	drop constraint mails_once,
	add constraint mails_once unique nulls not distinct (order_id, kind, document_id, refund_id, notices);
