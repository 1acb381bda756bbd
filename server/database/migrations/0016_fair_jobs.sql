-- When each organization was last served by the runners of jobs: whoever has waited longest is next, however many jobs
-- another organization has.
create table core__job_turns (
  organization_id bigint primary key,
  served timestamp not null
);
