-- What the customer tells the reader of a link before it is opened: who sends it, and what for. Null: nothing, as in older links.
alter table document_shares
	add sender text check (length(sender) between 1 and 60),
	add purpose text check (length(purpose) between 1 and 60);
