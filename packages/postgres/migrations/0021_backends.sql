-- Where a run computes: by our own workers (`local`), of those by such as take from its queue, or at a workflow orchestrator.
alter table headwater.runs add column backend text not null default 'local' check (backend in ('local', 'orchestrator'));
alter table headwater.runs add column queue text not null default 'nrm';
-- At the orchestrator: the workflow, the run that it minted, and the digest of the token by which its callback is known. The token
-- itself is never stored.
alter table headwater.runs add column dag_id text;
alter table headwater.runs add column dag_run_id text;
alter table headwater.runs add column run_token_hash text;
-- The request that asked for it, as the log names it.
alter table headwater.runs add column request_id text;
-- The run that published the result of this one; null where that is itself. No foreign key, as for parents.
alter table headwater.runs add column published_by text;
-- Calls of the work service have no owner.
alter table headwater.runs alter column owner_id drop not null;
-- Runs that one run asked for, newest first.
create index runs_of_parent on headwater.runs (parent_id, seq desc) where parent_id is not null;
