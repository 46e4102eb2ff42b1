-- Backend of a run: own workers (`local`) or an orchestrator.
alter table headwater.runs add column backend text not null default 'local' check (backend in ('local', 'orchestrator'));
alter table headwater.runs add column queue text not null default 'nrm';
-- Workflow, id of its run, and digest of the token of its callback.
alter table headwater.runs add column dag_id text;
alter table headwater.runs add column dag_run_id text;
alter table headwater.runs add column run_token_hash text;
-- Request that caused the run, as in the log.
alter table headwater.runs add column request_id text;
-- Run that published this run's result; null for the run itself. No foreign key, as for parents.
alter table headwater.runs add column published_by text;
-- Calls of the work service have no owner.
alter table headwater.runs alter column owner_id drop not null;
-- Runs that one run requested, newest first.
create index runs_of_parent on headwater.runs (parent_id, seq desc) where parent_id is not null;
