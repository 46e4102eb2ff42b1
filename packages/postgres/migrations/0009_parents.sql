-- Runs that another run requested: they do not count towards their owner's limit of queued or running runs. No foreign key: the
-- parent's row may be deleted first.
alter table headwater.runs add column parent_id text;
create index runs_open_of_owner on headwater.runs (owner_id) where state in ('queued', 'running') and parent_id is null;
