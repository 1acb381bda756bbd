-- Indexes of a choice alone: of a few options each has too many records. The next start makes those that have the records of an option in
-- the order of creation.
drop index if exists crm__leads__status__index, crm__opportunities__stage__index, crm__companies__industry__index,
  core__jobs__status__index;
