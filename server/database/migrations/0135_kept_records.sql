-- What undoing an import kept of the records that it had made to be referred to: "<record type> <id>" → why; null: it went after all.
alter table core__job_chunks add column kept json;
