-- Rows that come as JSON lines are one job whose sender holds it: the process that reads them says again and again until when.
-- Once that is over, the sender was cut off, and a runner says so.
alter table core__job_queue add column held_until timestamp(0);
