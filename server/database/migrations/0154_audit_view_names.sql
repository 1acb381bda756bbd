-- Standard views of the audit log have plainer names. Views that somebody changed keep theirs.
do $$
declare
  renamed constant jsonb := '{
    "Logins and failures": "Sign-ins",
    "Changes of rights": "Permission changes",
    "People who came and went": "User changes",
    "Exports and bulk work": "Exports and bulk changes"
  }';
begin
  update core__given_views g set name = renamed ->> g.name
  where g.controller = 'access_controls/audit_events' and renamed ? g.name
    and not exists (
      select from core__given_views other
      where other.organization_id = g.organization_id and other.controller = g.controller and other.name = renamed ->> g.name);
  -- Record types' tables come after the migrations of a new database.
  if to_regclass('core__listviews') is not null then
    update core__listviews set name = renamed ->> name
    where controller = 'access_controls/audit_events' and renamed ? name and revision = 1 and created_by is null;
  end if;
end $$;
