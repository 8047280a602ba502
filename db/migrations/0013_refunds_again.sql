-- A refund that came back from the bank, of money that is owed, is asked for again. More than one may: a part each.
-- `replaces` names the one that came back; what the shop refunds by itself stays once for each reason besides.
drop index refunds_automatic_once;
create unique index refunds_automatic_once on refunds (payment_id, reason)
	where reason in ('failed', 'cancelled', 'late', 'withdrawal', 'surplus') and replaces is null;
