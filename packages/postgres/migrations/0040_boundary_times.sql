-- Times of the last change of the micro-watersheds and of the villages below each tehsil. A time is the version of the
-- boundaries, so two changes never have the same time, also if the clock is set back.
alter table headwater.tehsils
  add column mws_changed timestamptz not null default now(),
  add column villages_changed timestamptz not null default now();

create function headwater.note_boundaries() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'mws' then
    update headwater.tehsils t set mws_changed = greatest(clock_timestamp(), t.mws_changed + interval '1 microsecond')
      where t.id in (select tehsil_id from changed);
  else
    update headwater.tehsils t set villages_changed = greatest(clock_timestamp(), t.villages_changed + interval '1 microsecond')
      where t.id in (select tehsil_id from changed);
  end if;
  return null;
end $$;

create trigger mws_inserted after insert on headwater.mws referencing new table as changed
  for each statement execute function headwater.note_boundaries();
create trigger mws_updated after update on headwater.mws referencing new table as changed
  for each statement execute function headwater.note_boundaries();
create trigger mws_deleted after delete on headwater.mws referencing old table as changed
  for each statement execute function headwater.note_boundaries();
create trigger villages_inserted after insert on headwater.villages referencing new table as changed
  for each statement execute function headwater.note_boundaries();
create trigger villages_updated after update on headwater.villages referencing new table as changed
  for each statement execute function headwater.note_boundaries();
create trigger villages_deleted after delete on headwater.villages referencing old table as changed
  for each statement execute function headwater.note_boundaries();
