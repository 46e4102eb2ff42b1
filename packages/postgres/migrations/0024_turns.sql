-- Owners take turns in a queue: the one whose last claim is longest ago comes first, with its oldest run. Runs without an owner count as
-- those of one owner, whose key no owner's number (int4) can be.
alter table headwater.runs add column claimed_at timestamptz;
-- What was begun before: put back, or its worker may have died.
create index runs_begun on headwater.runs (backend, queue, seq) where state in ('queued', 'running') and token > 0;
-- Who has something queued, and what.
create index runs_turns on headwater.runs (backend, queue, (coalesce(owner_id::bigint, 2147483648)), seq) where state = 'queued' and token = 0;
-- When an owner had its turn, and when any had one.
create index runs_served on headwater.runs (backend, queue, (coalesce(owner_id::bigint, 2147483648)), claimed_at) where claimed_at is not null;
create index runs_claimed on headwater.runs (backend, queue, claimed_at) where claimed_at is not null;
