-- Runs that another run asked for: they do not count towards what their owner may have queued or running. No foreign key: the
-- parent's row may be gone before theirs.
alter table headwater.runs add column parent_id text;
create index runs_open_of_owner on headwater.runs (owner_id) where state in ('queued', 'running') and parent_id is null;
