-- Parts of a run over a district or a state, one per tehsil, in order of computation.
create table headwater.run_parts (
  run_id text not null references headwater.runs (id) on delete cascade,
  position integer not null,
  tehsil_id integer not null,
  -- Expected work; one unit for all parts of a run.
  work double precision not null,
  -- Run that computes the part. No foreign key: a removed run leaves a part without a result.
  part_run_id text,
  is_reused boolean not null default false,
  failure text,
  primary key (run_id, position)
);

-- True while paused; no further part starts.
alter table headwater.runs add column is_paused boolean not null default false;
