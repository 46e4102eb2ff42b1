-- Cuts digits after milliseconds; a leap second is the end of its minute. A cast would round 23:59:59.9999999 to the
-- next day. '-infinity' for an invalid text.
create or replace function headwater.instant_key(told text) returns timestamptz language plpgsql immutable as $$
begin
  if told ~ '^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$' then
    return regexp_replace(regexp_replace(told, '(:\d\d):60(\.\d+)?', '\1:59.999'), '(\.\d{3})\d+', '\1')::timestamptz;
  end if;
  return '-infinity';
exception when datetime_field_overflow or invalid_datetime_format or invalid_time_zone_displacement_value then
  return '-infinity';
end
$$;

-- Recomputes the times of affected Items.
update headwater.items i set content = content where i.properties ->> 'datetime' ~ '\.\d{7}|:60[.Zz+-]';
