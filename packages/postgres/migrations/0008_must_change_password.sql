-- True for a password that another person knows. The owner must change such a password first.

alter table headwater.users add column must_change_password boolean not null default false;

-- Each sign-in deletes expired families.
create index refresh_families_expiry on headwater.refresh_families (expires_at);
