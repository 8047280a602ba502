-- Each notice of the bulletin is told once to the customer of a watched extract.

alter table mails
	-- the notices of the bulletin that the e-mail tells, sorted; they go with the customer's erasure
	add column notices text[] collate "C",
	drop constraint mails_once,
	add constraint mails_once unique nulls not distinct (order_id, kind, document_id, refund_id, notices);
