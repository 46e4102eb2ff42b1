-- What searches of Items read. All but the text follows from `content`, so that whoever writes an Item writes it too, and Items that
-- are there already have it at once.

-- The properties of an Item as far as they have an order, and of any other that it is there: a list of hundreds of columns would
-- make every filter read it.
create function headwater.ordered_properties(item json) returns jsonb language sql immutable strict as $$
  select coalesce(jsonb_object_agg(e.key, case json_typeof(e.value)
    when 'object' then '{}'::jsonb when 'array' then '[]'::jsonb else e.value::jsonb end), '{}')
  from json_each(case json_typeof(item -> 'properties') when 'object' then item -> 'properties' else '{}' end) as e
$$;

-- The same of its text. NUL and halves of surrogate pairs, which jsonb cannot hold, become U+FFFD; only such halves are written as
-- escapes, whole pairs never are.
create function headwater.item_properties(content text) returns jsonb language plpgsql immutable strict as $$
begin
  return headwater.ordered_properties(content::json);
exception when untranslatable_character or invalid_text_representation then
  return headwater.ordered_properties(
    regexp_replace(content, '(?<!\\)((?:\\\\)*)\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\1\\ufffd', 'g')::json);
end
$$;

-- An instant with the milliseconds that the domain knows; '-infinity' for a text that is none.
create function headwater.instant_key(told text) returns timestamptz language plpgsql immutable as $$
begin
  if told ~ '^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$' then
    return date_trunc('milliseconds', told::timestamptz);
  end if;
  return '-infinity';
exception when datetime_field_overflow or invalid_datetime_format then
  return '-infinity';
end
$$;

alter table headwater.items
  -- Unique as the path is: see collection_names.
  add column collection_id text collate "C" not null generated always as (replace(collection_path, '/', '_')) stored,
  add column properties jsonb not null generated always as (headwater.item_properties(content)) stored,
  -- Absent times are before all others: one index is then walked both ways, and compared as a row.
  add column start_key timestamptz not null generated always as (coalesce(start_datetime, '-infinity'::timestamptz)) stored,
  add column end_key timestamptz not null generated always as (coalesce(end_datetime, '-infinity'::timestamptz)) stored,
  add column datetime_key timestamptz not null
    generated always as (headwater.instant_key(headwater.item_properties(content) ->> 'datetime')) stored,
  add column published_at timestamptz not null default clock_timestamp(),
  -- The Item as it is sent, and the form in which it is written; null until it is written anew after a change of `content`.
  add column sent_text text,
  add column sent_form text collate "C";

-- Filters read the properties of many rows: they stay in the row, as they are. What is read of the Item that is found stays there as long
-- as there is room, and `content`, which is read to make it, goes first.
alter table headwater.items
  alter column properties set storage main,
  alter column content set storage external,
  set (toast_tuple_target = 4080);

update headwater.items i set published_at = r.finished_at
from headwater.runs r where r.id = i.run_id and r.finished_at is not null;

-- Searches walk these in order, with what else is asked as a filter.
create index items_search_collection on headwater.items (collection_id, start_key desc, id desc);
create index items_search on headwater.items (start_key desc, id desc, collection_id desc);
create index items_search_datetime on headwater.items (datetime_key desc, id desc, collection_id desc);
create index items_unwritten on headwater.items (sent_form);
