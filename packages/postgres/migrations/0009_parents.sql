-- The run that requested this run. Such runs do not count towards limits of their owner. No foreign key, because the
-- parent may be deleted first.
alter table headwater.runs add column parent_id text;
create index runs_open_of_owner on headwater.runs (owner_id) where state in ('queued', 'running') and parent_id is null;
