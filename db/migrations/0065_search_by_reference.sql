-- The desk also finds an order by the customer's own reference, such as « dossier 2026-114 ». Orders before this have none.

create or replace function order_search_words(o orders) returns tsvector
	language sql immutable parallel safe
	return array_to_tsvector(array(
		select left(word, 80)
		from unnest(
			search_tokens(concat_ws(' ', o.first_name, o.last_name, o.company_name, o.billing_company, o.delivery_name, o.customer_email, o.delivery_email,
				o.reference))
			|| array[
				lower(replace(o.order_number, '-', '')),
				lower(split_part(o.order_number, '-', 2) || split_part(o.order_number, '-', 3)),
				lower(split_part(o.order_number, '-', 3)),
				o.siren,
				o.billing_siren,
				search_phone(o.phone),
				lower(o.tracking_number)
			]) as words (word)
		where word <> ''));

-- last, as it locks out writers until the end
create or replace trigger orders_have_words after insert or update of first_name, last_name, company_name, billing_company, delivery_name,
	customer_email, delivery_email, order_number, siren, billing_siren, phone, tracking_number, reference on orders
	for each row execute function write_order_words();
