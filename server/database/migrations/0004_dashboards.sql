-- A person's own dashboard: its list views in their order. Whoever has no row sees what is pinned for everybody; whoever
-- took everything off theirs has a row with an empty list.
create table core__dashboards (
  organization_id bigint not null,
  user_id bigint not null,
  listview_ids uuid[] not null,
  primary key (organization_id, user_id)
);
