-- Platform, service account and disabled state of Earth-observation accounts. Servers of an earlier version add
-- accounts with these defaults.
alter table headwater.eo_accounts
  add column service_account_email text,
  add column platform text not null default 'local' check (platform in ('local', 'earth_engine')),
  add column is_active boolean not null default true;
