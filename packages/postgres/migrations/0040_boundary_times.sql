-- Times of the last change of the micro-watersheds and of the villages below each tehsil. A time is the version of the
-- boundaries, so two changes never have the same time, also if the clock is set back.
alter table headwater.tehsils
  add column mws_changed timestamptz not null default now(),
  add column villages_changed timestamptz not null default now();

create function headwater.note_boundaries() returns trigger language plpgsql as $$
declare
  tehsil integer;
begin
  -- In the order of ids, so that two transactions do not wait for each other.
  for tehsil in select distinct tehsil_id from changed order by tehsil_id loop
    if tg_table_name = 'mws' then
      update headwater.tehsils
        set mws_changed = greatest(clock_timestamp(), mws_changed + interval '1 microsecond') where id = tehsil;
    else
      update headwater.tehsils
        set villages_changed = greatest(clock_timestamp(), villages_changed + interval '1 microsecond') where id = tehsil;
    end if;
  end loop;
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
