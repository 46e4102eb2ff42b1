-- Identity of results: Items by (collection, id), Collections by joined name, layers by tehsil.

-- Position of an Item in its run's result.
alter table headwater.items add column position integer not null default 0;

-- Items that a later run replaced, so that each run returns its own versions.
create table headwater.replaced_items (
  run_id text not null,
  collection_path text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  position integer not null,
  content text not null,
  replaced_at timestamptz not null default clock_timestamp(),
  primary key (run_id, collection_path, id)
);

-- Former names of Items, and their present names.
create table headwater.item_aliases (
  collection_path text collate "C" not null,
  id text collate "C" not null,
  present_path text collate "C" not null,
  present_id text collate "C" not null,
  primary key (collection_path, id)
);
create index item_aliases_present on headwater.item_aliases (present_path, present_id);

-- Ids of Collections: parts of the path, joined by '_'. The primary key decides races for equal ids.
create table headwater.collection_names (
  id text collate "C" primary key,
  path text collate "C" not null unique
);
insert into headwater.collection_names (id, path)
  select replace(path, '/', '_'), path
  from (
    select distinct array_to_string(parts[1:depth], '/') as path
    from (select string_to_array(collection_path, '/') as parts from headwater.items) as item
    cross join lateral generate_series(1, array_length(parts, 1)) as depth
  ) as collection
  order by path
  on conflict do nothing;

-- A former name of a layer can still be requested.
alter table headwater.layers add column is_former boolean not null default false;
