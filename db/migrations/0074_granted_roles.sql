-- When somebody at the desk last gave a person a role that they did not have; null after an invitation alone.
alter table operators.member add column if not exists granted_at timestamptz;
