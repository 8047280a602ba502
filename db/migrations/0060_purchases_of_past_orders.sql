-- In a transaction of its own, so that the columns are not locked while the rows are updated.
update orders set purchase_id = id where purchase_id is null;
