-- Ids of runs that must succeed first, and their results (JSON list of texts). No foreign key, as for parents. A run is
-- not removed by age while another run waits for it.
alter table headwater.runs add column after text[] not null default '{}';
alter table headwater.runs add column awaits text not null default '[]';

-- Notifies workers of the end of an awaited run.
create function headwater.tell_awaited() returns trigger language plpgsql as $$
begin
  if exists (select from headwater.runs w where w.state = 'queued' and new.id = any (w.after)) then
    perform headwater.tell_run('q', new.id);
  end if;
  return null;
end $$;
create trigger runs_tell_awaited after update of state on headwater.runs
  for each row when (new.state in ('success', 'failed') and old.state in ('queued', 'running')) execute function headwater.tell_awaited();
