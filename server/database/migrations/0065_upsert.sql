-- What came of the rows of a chunk that were found by a key: how many were added, changed, left as they were, skipped.
alter table core__job_chunks add column counts json;
