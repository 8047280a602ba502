-- When a reading of the bulletin from its API last came to its own day: the daily job then has nothing left to do on that day.
alter table bulletin_readings add column if not exists reached_at timestamptz;
