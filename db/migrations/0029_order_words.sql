-- What an operator searches an order by. Beside the orders, so that no order is rewritten and their own updates stay cheap.
-- Triggers write it, also for the program before this one; the erasure of a customer empties it in the same statement.

-- Tokens of a text: lower case, no accent, letters and digits only; an e-mail address also whole. The search tokenizes by it too.
create function search_tokens(typed text) returns text[]
	language sql immutable parallel safe
	return array(
		select distinct left(token, 80)
		from (
			select lower(regexp_replace(normalize(replace(replace(replace(coalesce(typed, ''), 'œ', 'oe'), 'Œ', 'oe'), 'æ', 'ae'), nfkd), E'[\u0300-\u036f]', '', 'g')) as folded
		) as text,
		lateral (
			select regexp_split_to_table(folded, '[^[:alnum:]]+') as token
			union
			select word from regexp_split_to_table(folded, '[\s,;<>()]+') as word where word like '%_@_%'
		) as tokens
		where token <> ''
	);

-- A telephone number as people write it in France: digits, « +33 6 » and « 0033 6 » as « 06 ».
create function search_phone(typed text) returns text
	language sql immutable parallel safe
	return regexp_replace(regexp_replace(coalesce(typed, ''), '\D', '', 'g'), '^(?:00)?33(?=\d{9}$)', '0');

create table order_words (
	order_id uuid primary key references orders on delete cascade,
	created_at timestamptz not null,
	words tsvector not null
);
create index order_words_words on order_words using gin (words) with (fastupdate = off);
create index order_words_created on order_words (created_at desc, order_id);

-- every word of an order; an erased one keeps its number, its company and nothing of its customer
create function order_search_words(o orders) returns tsvector
	language sql immutable parallel safe
	return array_to_tsvector(array(
		select left(word, 80)
		from unnest(
			search_tokens(concat_ws(' ', o.first_name, o.last_name, o.company_name, o.billing_company, o.delivery_name, o.customer_email, o.delivery_email))
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

create function write_order_words() returns trigger language plpgsql as $$
begin
	insert into order_words (order_id, created_at, words) values (new.id, new.created_at, order_search_words(new))
		on conflict (order_id) do update set words = excluded.words;
	return null;
end $$;

-- last, as it locks out writers until the end
create trigger orders_have_words after insert or update of first_name, last_name, company_name, billing_company, delivery_name, customer_email,
	delivery_email, order_number, siren, billing_siren, phone, tracking_number on orders
	for each row execute function write_order_words();
