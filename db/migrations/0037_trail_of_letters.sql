-- The runs that name several orders are few, and each order's trail looks for them.
create index desk_log_several_orders on desk_log (id) where jsonb_typeof(change->'after'->'orders') = 'string';
