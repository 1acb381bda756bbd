-- Confirmed email addresses of users over all organizations, to sign in with. Where to look, never the proof: whoever reads
-- it makes sure that the address is still confirmed and still that user's.
create table access_controls__login_emails (
  email text not null,
  organization_id bigint not null,
  user_id bigint not null,
  primary key (email, organization_id, user_id)
);
do $$ begin
  if to_regclass('core__email_addresses') is not null then
    insert into access_controls__login_emails (email, organization_id, user_id)
    select distinct lower(email), organization_id, related_id::bigint from core__email_addresses
    where related_type = 'access_controls/users' and is_confirmed = 1 and related_id ~ '^[0-9]{1,18}$';
  end if;
end $$;
