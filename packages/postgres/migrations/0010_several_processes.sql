-- Several processes on one database: shared values and notifications.

-- Values that the first process stores for all: key of tokens, id of the folder with the files.
create table headwater.installation (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);

-- Notifies with a letter and the run's id. A long id is omitted ("any run"), because payloads must be shorter than
-- 8,000 bytes.
create function headwater.tell_run(letter text, id text) returns void language sql as $$
  select pg_notify('headwater_runs', letter || case when octet_length(id) <= 200 then id else '' end)
$$;

create function headwater.tell_event() returns trigger language plpgsql as $$
begin
  perform headwater.tell_run('e', new.run_id);
  return null;
end $$;
create trigger run_events_tell after insert on headwater.run_events
  for each row execute function headwater.tell_event();

create function headwater.tell_queued() returns trigger language plpgsql as $$
begin
  perform headwater.tell_run('q', new.id);
  return null;
end $$;
create trigger runs_tell_new after insert on headwater.runs
  for each row execute function headwater.tell_queued();
create trigger runs_tell_released after update of state on headwater.runs
  for each row when (new.state = 'queued' and old.state <> 'queued') execute function headwater.tell_queued();

create function headwater.tell_cancel() returns trigger language plpgsql as $$
begin
  perform headwater.tell_run('c', new.id);
  return null;
end $$;
create trigger runs_tell_cancel after update of cancel_requested on headwater.runs
  for each row when (new.cancel_requested and not old.cancel_requested) execute function headwater.tell_cancel();

-- Time at which progress and log lines of a run were removed, with the index of the removal.
alter table headwater.runs add column events_removed_at timestamptz;
create index runs_ended on headwater.runs (finished_at) where finished_at is not null;
create index runs_with_events on headwater.runs (finished_at) where finished_at is not null and events_removed_at is null;
