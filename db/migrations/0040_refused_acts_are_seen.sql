-- When its operator took note that an act was refused at its time: it then leaves the bar of every page.
alter table desk_acts add column seen_at timestamptz;

-- For the bar, on every page of an operator.
create index desk_acts_refused on desk_acts (operator_id, ended_at) where ok = false and due_at is not null and seen_at is null;
