-- The address of an e-mail whose address is neither the customer's nor the second one of its order: the address that a customer has
-- corrected. Blank once the e-mail is sent or refused.
alter table mails add column recipient text;
