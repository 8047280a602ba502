-- The operator who asked for a refund at the desk, by name; null for the shop's own and for those made on the provider's pages.
alter table refunds add column requested_by text;
