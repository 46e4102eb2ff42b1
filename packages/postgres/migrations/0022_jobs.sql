-- Jobs of an orchestrator. Parameters and outcome are JSON as text, so that any JSON can be stored.
create table headwater.jobs (
  id text primary key,
  op text not null,
  params text not null,
  -- Result, written once; null until then.
  outcome text,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz
);
create index jobs_open on headwater.jobs (created_at) where outcome is null;
create index jobs_age on headwater.jobs (created_at);
