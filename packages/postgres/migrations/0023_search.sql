-- What searches of Items read. All but the text follows from `content`, so that whoever writes an Item writes it too, and Items that
-- are there already have it at once.

-- A time of an Item's properties, with the milliseconds that the domain knows; null for a text that is no instant.
create function headwater.item_instant(content text, name text) returns timestamptz language plpgsql immutable strict as $$
declare
  told text := content::json -> 'properties' ->> name;
begin
  if told !~ '^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$' then return null; end if;
  return date_trunc('milliseconds', told::timestamptz);
exception when others then
  return null;
end
$$;

-- A property's value where it has an order, and of any other that it is there.
create function headwater.item_value(value json) returns jsonb language sql immutable strict as $$
  select case json_typeof(value) when 'object' then '{}'::jsonb when 'array' then '[]'::jsonb else value::jsonb end
$$;

-- The properties of an Item that have an order, and of all others that they are there: lists of hundreds of columns would make every
-- filter read them. What jsonb cannot hold (NUL, half a surrogate pair) leaves the property out.
create function headwater.item_properties(content text) returns jsonb language plpgsql immutable strict as $$
declare
  told json := content::json -> 'properties';
  member record;
  found jsonb := '{}';
begin
  if json_typeof(told) is distinct from 'object' then return found; end if;
  begin
    return (select coalesce(jsonb_object_agg(e.key, headwater.item_value(e.value)), '{}') from json_each(told) e);
  exception when untranslatable_character or invalid_text_representation or character_not_in_repertoire then
    null;
  end;
  for member in select e.key, e.value from json_each(told) e loop
    begin
      found := found || jsonb_build_object(member.key, headwater.item_value(member.value));
    exception when untranslatable_character or invalid_text_representation or character_not_in_repertoire then
      continue;
    end;
  end loop;
  return found;
exception when untranslatable_character or invalid_text_representation or character_not_in_repertoire then
  return found;
end
$$;

alter table headwater.items
  add column properties jsonb not null generated always as (headwater.item_properties(content)) stored,
  -- Absent times are before all others: one index is then walked both ways, and compared as a row.
  add column start_key timestamptz not null generated always as (coalesce(start_datetime, '-infinity'::timestamptz)) stored,
  add column end_key timestamptz not null generated always as (coalesce(end_datetime, '-infinity'::timestamptz)) stored,
  add column datetime_key timestamptz not null
    generated always as (coalesce(headwater.item_instant(content, 'datetime'), '-infinity'::timestamptz)) stored,
  add column published_at timestamptz not null default clock_timestamp(),
  -- The Item as it is sent, and the form in which it is written; null until it is written anew after a change of `content`.
  add column sent_text text,
  add column sent_form text collate "C";

update headwater.items i set published_at = r.finished_at
from headwater.runs r where r.id = i.run_id and r.finished_at is not null;

-- Searches walk these in order, with what else is asked as a filter.
create index items_search_collection on headwater.items (collection_path, start_key desc, id desc);
create index items_search on headwater.items (start_key desc, id desc, collection_path desc);
create index items_search_datetime on headwater.items (datetime_key desc, id desc, collection_path desc);
create index items_unwritten on headwater.items (sent_form);
