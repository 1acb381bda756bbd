-- What is requested once more while it is being done is told from the first time: to the second was not enough.
alter table metadata__table_work alter column requested type timestamp;
