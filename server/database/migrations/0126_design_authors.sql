-- Who saved a design last: somebody who saves another one at the same time is told.
alter table metadata__record_types add column modified_by text;
