-- Platform that computes for an Earth-observation account, the service account of its credentials, and accounts that a superuser has disabled.
-- Servers of an earlier version on the same database add accounts with these defaults.
alter table headwater.eo_accounts
  add column service_account_email text,
  add column platform text not null default 'local' check (platform in ('local', 'earth_engine')),
  add column is_active boolean not null default true;
