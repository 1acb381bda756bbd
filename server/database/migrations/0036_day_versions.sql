-- Where rows came or went, by the day on which they were created: who keeps the number of rows of each day learns which of
-- them to count again. Null in the log, and -infinity here, where a change may concern any day.
alter table core__changes add column day date;

create table core__day_versions (
  organization_id bigint not null,
  record_type text not null,
  day date not null,
  changes bigint not null,
  primary key (organization_id, record_type, day)
);
