-- The earliest instant of a mailbox's next e-mail that asks to confirm alerts: requests until then share it.
alter table company_followers add column if not exists confirm_after timestamptz;

-- The e-mail that asked to confirm an alert, by its Message-ID: one may name several.
alter table company_alerts add column if not exists confirmation_mail text;
