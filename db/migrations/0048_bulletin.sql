-- Notices of the bulletin BODACC about legal persons: imported by npm run companies:notices, read by pages, alerts and watches.
-- Fifty million notices must fit, so courts and kinds of change are kept once, in bulletin_texts.

create type bulletin_family as enum (
	'creation', 'immatriculation', 'modification', 'radiation', 'transfert', 'collective', 'conciliation', 'vente', 'dpc', 'other'
);

create table bulletin_texts (
	id integer generated always as identity primary key,
	text text not null unique
);

-- A row for each company that a notice names.
create table bulletin_notices (
	-- eight columns or fewer: a ninth would widen the header of each row by eight bytes
	siren text collate "C" not null,
	-- edition, issue and number as the bulletin writes them, not padded
	id text collate "C" not null,
	published_on date not null,
	-- the day of the judgment, or the day on which the accounts were closed
	event_on date,
	court_id integer references bulletin_texts,
	kind_id integer references bulletin_texts,
	family bulletin_family not null,
	-- null where it is the address that the bulletin gives to this id
	url text,
	primary key (id, siren)
);
create index bulletin_notices_siren on bulletin_notices (siren);

-- Notices that correct or cancel another one. Either may be imported first.
create table bulletin_corrections (
	id text collate "C" primary key,
	-- the notice that it names; null where that cannot be read
	target text collate "C",
	published_on date not null,
	-- a cancelling notice leaves nothing to show; any other takes the place of the one that it names
	cancels boolean not null,
	url text
);
create index bulletin_corrections_target on bulletin_corrections (target);

-- What was read of the bulletin: no row before the first import.
create table bulletin_readings (
	only_row boolean primary key default true check (only_row),
	imported_at timestamptz not null,
	-- the days of publication of which every notice was read; null while only single notices were
	covered_from date,
	covered_to date,
	check ((covered_from is null) = (covered_to is null))
);
