-- Published results. `content` is the STAC Item as text, which is read faster than jsonb.

create table headwater.items (
  collection_path text collate "C" not null,
  id text collate "C" not null,
  version integer not null,
  run_id text not null,
  ordinal bigint generated always as identity,
  content text not null,
  geometry geometry (Geometry, 4326),
  start_datetime timestamptz,
  end_datetime timestamptz,
  primary key (collection_path, id)
);
create index items_id on headwater.items (id);
create index items_run on headwater.items (run_id);
create index items_geometry on headwater.items using gist (geometry);
-- Searches read this index in order and filter by geometry.
create index items_time on headwater.items (collection_path, start_datetime desc, id desc);

create table headwater.layers (
  workspace text collate "C" not null,
  layer_name text collate "C" not null,
  dataset_name text not null,
  layer_type text not null check (layer_type in ('vector', 'raster')),
  tehsil_id integer not null,
  item_id text not null,
  asset_key text not null,
  style_key text,
  version integer not null,
  primary key (workspace, layer_name)
);
create index layers_tehsil on headwater.layers (tehsil_id);
