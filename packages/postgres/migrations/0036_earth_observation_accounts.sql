-- Users who may use an Earth-observation account, its encrypted credentials, and the end of a spent quota. Servers of an
-- earlier version on the same database show accounts to all users. Owners and organisations are no foreign keys: if the
-- owner or organisation was removed, no user sees the account.
alter table headwater.eo_accounts
  add column visible_to text not null default 'all' check (visible_to in ('all', 'organization', 'owner')),
  add column owner_id integer,
  add column organization_id text,
  add column sealed_key text,
  add column exhausted_until timestamptz;

-- Exports of published rasters to assets of a platform. A file is exported once. The id of the export is also the
-- request id at the platform.
create table headwater.eo_exports (
  id uuid primary key,
  asset_key text not null unique,
  workspace text not null,
  layer_name text not null,
  account_id integer not null,
  asset_path text,
  source text,
  operation text,
  state text not null check (state in ('waiting', 'running', 'done', 'failed')),
  attempts integer not null,
  failures integer not null,
  due_at timestamptz(3) not null,
  lease_until timestamptz(3),
  problem text,
  eecu_seconds double precision,
  created_at timestamptz(3) not null
);
create index eo_exports_due on headwater.eo_exports (due_at) where state in ('waiting', 'running');
create index eo_exports_layer on headwater.eo_exports (workspace, layer_name);
