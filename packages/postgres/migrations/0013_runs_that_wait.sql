-- Runs that start after other runs have succeeded: the ids of these other runs, and the result of each (JSON list of
-- texts in the same order). No foreign key, as for parents. A run for which another run waits is not removed by age.
alter table headwater.runs add column after text[] not null default '{}';
alter table headwater.runs add column awaits text not null default '[]';

-- Workers are notified of the end of a run for which other runs wait.
create function headwater.tell_awaited() returns trigger language plpgsql as $$
begin
  if exists (select from headwater.runs w where w.state = 'queued' and new.id = any (w.after)) then
    perform headwater.tell_run('q', new.id);
  end if;
  return null;
end $$;
create trigger runs_tell_awaited after update of state on headwater.runs
  for each row when (new.state in ('success', 'failed') and old.state in ('queued', 'running')) execute function headwater.tell_awaited();
