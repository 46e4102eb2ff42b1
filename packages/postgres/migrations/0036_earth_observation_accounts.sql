-- Users of an Earth-observation account, its encrypted credentials, and the end of a spent quota. Owners are no foreign
-- keys: without its owner, an account is visible to no user.
alter table headwater.eo_accounts
  add column visible_to text not null default 'all' check (visible_to in ('all', 'organization', 'owner')),
  add column owner_id integer,
  add column organization_id text,
  add column sealed_key text,
  add column exhausted_until timestamptz;

-- Exports of rasters to assets of a platform, once per file. The id is also the request id at the platform.
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
