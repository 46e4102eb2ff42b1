-- Runs and their states. JSON is text, because jsonb would change the order of members and reject NUL. owner_id has no
-- foreign key, because a host may store users elsewhere.

create table headwater.runs (
  id text primary key,
  seq bigint generated always as identity unique,
  pipeline text not null,
  params text not null,
  fingerprint text not null,
  fingerprint_key text not null,
  owner_id integer not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'success', 'failed')),
  progress double precision not null default 0,
  step text,
  attempt integer not null default 0,
  token integer not null default 0,
  worker_id text,
  lease_until timestamptz,
  cancel_requested boolean not null default false,
  error text,
  item_ids text not null default '[]',
  timings text not null default '{}',
  last_event integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz
);

-- Identical runs in flight share one run; the index decides races.
create unique index runs_in_flight on headwater.runs (fingerprint_key)
  where state in ('queued', 'running') and not cancel_requested;
-- Index for `claim`, oldest first.
create index runs_open on headwater.runs (seq) where state in ('queued', 'running');
create index runs_owner on headwater.runs (owner_id, seq desc);

create table headwater.run_events (
  run_id text not null references headwater.runs (id) on delete cascade,
  seq integer not null,
  at timestamptz not null default clock_timestamp(),
  kind text not null check (kind in ('state', 'progress', 'log')),
  data text not null,
  primary key (run_id, seq)
);
