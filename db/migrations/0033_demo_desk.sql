-- The demo's switch: whether new orders wait for the desk, in place of the issuer of specimens.
create table sandbox.desk (
	singleton boolean primary key default true check (singleton),
	serves_by_hand boolean not null
);
