-- Beyond milliseconds the domain cuts off the digits of a time, and takes a leap second for the end of its minute; the cast alone rounds from
-- the seventh digit on, and led 23:59:59.9999999 into the next day. '-infinity' for a text that is no instant.
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

-- Computes the times of those that it concerns anew.
update headwater.items i set content = content where i.properties ->> 'datetime' ~ '\.\d{7}|:60[.Zz+-]';
