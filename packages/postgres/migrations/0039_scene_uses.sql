-- Scenes that runs read at a platform, and the computing time that the platform reports later.
create table headwater.scene_uses (
  run_id text primary key references headwater.runs (id) on delete cascade,
  account_id integer not null,
  -- Null if the attempts were charged to several projects.
  project text,
  workload_tag text not null,
  started_at timestamptz(3) not null,
  requests bigint not null default 0,
  pixels bigint not null default 0,
  bytes bigint not null default 0,
  -- Attempts that began to read and did not end.
  open_attempts integer not null default 1,
  eecu_seconds double precision,
  problem text,
  reads integer not null default 0,
  -- Time of the next read of the computing time.
  due_at timestamptz(3)
);
create index scene_uses_due on headwater.scene_uses (due_at) where due_at is not null;
create index scene_uses_measured on headwater.scene_uses (started_at) where eecu_seconds is not null and due_at is null;
