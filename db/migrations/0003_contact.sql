-- Who asked to be told when the subscription opens, and the version of the words they agreed to.

create table subscription_interest (
	id bigint generated always as identity primary key,
	email text not null,
	text_version text not null,
	created_at timestamptz not null
);
create unique index subscription_interest_email on subscription_interest (lower(email));
create index subscription_interest_created on subscription_interest (created_at);
