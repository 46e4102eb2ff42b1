-- Backend of a run: our own workers (`local`), which claim from its queue, or a workflow orchestrator.
alter table headwater.runs add column backend text not null default 'local' check (backend in ('local', 'orchestrator'));
alter table headwater.runs add column queue text not null default 'nrm';
-- At the orchestrator: the workflow, the id of its run, and the digest of the token that identifies its callback. The token
-- itself is never stored.
alter table headwater.runs add column dag_id text;
alter table headwater.runs add column dag_run_id text;
alter table headwater.runs add column run_token_hash text;
-- The request that caused the run, as the log names it.
alter table headwater.runs add column request_id text;
-- The run that published the result of this run; null if this run published it itself. No foreign key, as for parents.
alter table headwater.runs add column published_by text;
-- Calls of the work service have no owner.
alter table headwater.runs alter column owner_id drop not null;
-- Runs that one run requested, newest first.
create index runs_of_parent on headwater.runs (parent_id, seq desc) where parent_id is not null;
