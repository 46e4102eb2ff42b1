-- Parts of a run over a district or a state: one row per tehsil, in the order of their computation.
create table headwater.run_parts (
  run_id text not null references headwater.runs (id) on delete cascade,
  position integer not null,
  tehsil_id integer not null,
  -- Expected work, in the same unit for all parts of a run.
  work double precision not null,
  -- The run that computes the part. It has no foreign key: a run that was removed by age leaves a part without a result.
  part_run_id text,
  is_reused boolean not null default false,
  failure text,
  primary key (run_id, position)
);

-- True while a run with parts is paused. No further part of a paused run starts.
alter table headwater.runs add column is_paused boolean not null default false;
