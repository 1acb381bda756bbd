-- What all processes of the service remember together and no organization owns: small facts by name.
create table dossier_state (
  name text primary key,
  value text not null,
  changed timestamp(0) not null default (now() at time zone 'utc')
);
