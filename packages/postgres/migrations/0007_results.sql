-- 1. Collections of every level, so that public reads need no Item. `parent` is '' below the root; `items` counts
-- direct Items; `extent` is JSON text of STAC.

create table headwater.collections (
  path text collate "C" primary key,
  parent text collate "C" not null,
  items integer not null default 0,
  extent text,
  -- Properties of the Items below the Collection, as JSON text; null until the next publication.
  members text
);
create index collections_parent on headwater.collections (parent, path);

-- Boxes of earlier publications; the next publication writes the exact box.
insert into headwater.collections (path, parent, items, extent)
select path, parent, items, case when box is null or first is null or last is null then null else json_build_object(
    'spatial', json_build_object('bbox', json_build_array(
      json_build_array(ST_XMin(box), ST_YMin(box), ST_XMax(box), ST_YMax(box)))),
    'temporal', json_build_object('interval', json_build_array(json_build_array(
      to_char(first at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      to_char(last at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))))::text end
from (
  select array_to_string(parts[1:level], '/') as path, array_to_string(parts[1:level - 1], '/') as parent,
    count(*) filter (where level = cardinality(parts)) as items,
    ST_Extent(geometry) as box, min(start_datetime) as first, max(end_datetime) as last
  from (select string_to_array(collection_path, '/') as parts, geometry, start_datetime, end_datetime
    from headwater.items) as i, generate_series(1, cardinality(parts)) as level
  group by 1, 2
) as below;

-- 2. Files of replaced Items. Time at which all results of a run were replaced; the grace period must survive restarts.
alter table headwater.runs add column replaced_at timestamptz;
create index runs_shown on headwater.runs (id) where state = 'success' and replaced_at is null;

-- File that each run published for a layer, also after a later run.
create table headwater.layer_files (
  run_id text not null references headwater.runs (id) on delete cascade,
  workspace text collate "C" not null,
  layer_name text collate "C" not null,
  layer_type text not null check (layer_type in ('vector', 'raster')),
  asset_key text not null,
  primary key (run_id, workspace, layer_name)
);
insert into headwater.layer_files (run_id, workspace, layer_name, layer_type, asset_key)
select r.id, l.workspace, l.layer_name, l.layer_type, l.asset_key
from headwater.layers l join headwater.runs r on r.id = split_part(l.asset_key, '/', 1);

-- 3. Repeated requests. Inputs of a run; equal inputs give an equal result.
alter table headwater.runs add column inputs text;
create index runs_results on headwater.runs (fingerprint_key, seq desc) where state = 'success' and inputs is not null;

-- Idempotency-Key as SHA-256 of key and request; deleted with its run. Deferred reference, because the run is stored
-- after its key.
create table headwater.request_keys (
  owner_id integer not null,
  key text not null,
  request text not null,
  run_id text not null references headwater.runs (id) on delete cascade deferrable initially deferred,
  created_at timestamptz not null default now(),
  primary key (owner_id, key)
);
create index request_keys_run on headwater.request_keys (run_id);
