-- The watch over delivered extracts: its customer may end it.

alter table orders
	-- the customer asked for no more e-mails about what is published after the extract
	add column watch_ended_at timestamptz;
