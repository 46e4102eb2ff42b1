-- Fair order of owners: the owner with the oldest last claim comes first. Runs without an owner share a key outside of
-- int4.
alter table headwater.runs add column claimed_at timestamptz;
-- Started runs: released, or with a worker that may have died.
create index runs_begun on headwater.runs (backend, queue, seq) where state in ('queued', 'running') and token > 0;
-- Owners with queued runs, and these runs.
create index runs_turns on headwater.runs (backend, queue, (coalesce(owner_id::bigint, 2147483648)), seq) where state = 'queued' and token = 0;
-- Time of each owner's last claim, and of the last claim of all owners.
create index runs_served on headwater.runs (backend, queue, (coalesce(owner_id::bigint, 2147483648)), claimed_at) where claimed_at is not null;
create index runs_claimed on headwater.runs (backend, queue, claimed_at) where claimed_at is not null;
