-- How large each view stands on a person's dashboard: an object from its id to small, wide or full. A view without an
-- entry has the size that its kind usually has.
alter table core__dashboards add column sizes jsonb not null default '{}';
