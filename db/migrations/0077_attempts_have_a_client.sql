-- Of whom an attempt is, as in payment_sessions: one client holds few places that are not paid (docs/rules.md, R82).
alter table payment_attempts add column if not exists opened_by text;
