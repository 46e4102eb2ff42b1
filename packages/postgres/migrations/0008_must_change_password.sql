-- A password that another person knows (the installer's default): its owner can only change it until then.

alter table headwater.users add column must_change_password boolean not null default false;

-- Each sign-in deletes expired families.
create index refresh_families_expiry on headwater.refresh_families (expires_at);
