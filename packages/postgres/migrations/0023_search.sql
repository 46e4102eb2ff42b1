-- Columns for searches of Items, generated from `content` except for the sent text.

-- Sortable properties of an Item. Lists and objects become empty, because filters would otherwise read hundreds of
-- columns.
create function headwater.ordered_properties(item json) returns jsonb language sql immutable strict as $$
  select coalesce(jsonb_object_agg(e.key, case json_typeof(e.value)
    when 'object' then '{}'::jsonb when 'array' then '[]'::jsonb else e.value::jsonb end), '{}')
  from json_each(case json_typeof(item -> 'properties') when 'object' then item -> 'properties' else '{}' end) as e
$$;

-- Properties of an Item's text. NUL and lone surrogates, which jsonb cannot store, become U+FFFD.
create function headwater.item_properties(content text) returns jsonb language plpgsql immutable strict as $$
begin
  return headwater.ordered_properties(content::json);
exception when untranslatable_character or invalid_text_representation then
  return headwater.ordered_properties(
    regexp_replace(content, '(?<!\\)((?:\\\\)*)\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\1\\ufffd', 'g')::json);
end
$$;

-- An instant in milliseconds; '-infinity' for an invalid text.
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
  -- Unique, because the path is unique (collection_names).
  add column collection_id text collate "C" not null generated always as (replace(collection_path, '/', '_')) stored,
  add column properties jsonb not null generated always as (headwater.item_properties(content)) stored,
  -- Absent times come first, so that one index supports both directions.
  add column start_key timestamptz not null generated always as (coalesce(start_datetime, '-infinity'::timestamptz)) stored,
  add column end_key timestamptz not null generated always as (coalesce(end_datetime, '-infinity'::timestamptz)) stored,
  add column datetime_key timestamptz not null
    generated always as (headwater.instant_key(headwater.item_properties(content) ->> 'datetime')) stored,
  add column published_at timestamptz not null default clock_timestamp(),
  -- The Item as sent, and the form of this text. Null after a change of `content`.
  add column sent_text text,
  add column sent_form text collate "C";

-- Filters read many rows, so properties stay uncompressed in the row; `content` is moved out first.
alter table headwater.items
  alter column properties set storage main,
  alter column content set storage external,
  set (toast_tuple_target = 4080);

update headwater.items i set published_at = r.finished_at
from headwater.runs r where r.id = i.run_id and r.finished_at is not null;

-- Searches read these indexes in order and filter by the other conditions.
create index items_search_collection on headwater.items (collection_id, start_key desc, id desc);
create index items_search on headwater.items (start_key desc, id desc, collection_id desc);
create index items_search_datetime on headwater.items (datetime_key desc, id desc, collection_id desc);
create index items_unwritten on headwater.items (sent_form);
