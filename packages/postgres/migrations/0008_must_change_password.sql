-- A password that somebody else knows (the installer's default): its owner may change it and do nothing else until then.

alter table headwater.users add column must_change_password boolean not null default false;

-- Each sign-in deletes the families that have expired.
create index refresh_families_expiry on headwater.refresh_families (expires_at);
