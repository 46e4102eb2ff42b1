-- Work that an orchestrator does and posts the result of. Parameters and outcome are JSON as text: whatever JSON can say can be stored.
create table headwater.jobs (
  id text primary key,
  op text not null,
  params text not null,
  -- Null until it is posted; written once.
  outcome text,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz
);
create index jobs_open on headwater.jobs (created_at) where outcome is null;
create index jobs_age on headwater.jobs (created_at);
