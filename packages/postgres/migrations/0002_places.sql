-- States, districts, tehsils and smaller units. Names match by slug (`placeSlug`). collate "C": ordered by code point,
-- as in the memory store.

create table headwater.states (
  id integer generated always as identity primary key,
  name text not null,
  slug text collate "C" not null unique,
  is_active boolean not null default true
);

create table headwater.districts (
  id integer generated always as identity primary key,
  state_id integer not null references headwater.states (id),
  name text not null,
  slug text collate "C" not null,
  is_active boolean not null default true,
  unique (state_id, slug)
);

create table headwater.tehsils (
  id integer generated always as identity primary key,
  district_id integer not null references headwater.districts (id),
  name text not null,
  slug text collate "C" not null,
  is_active boolean not null default true,
  geometry geometry (Geometry, 4326),
  unique (district_id, slug)
);
create index tehsils_geometry on headwater.tehsils using gist (geometry);

-- A uid may exist in two tehsils, because a micro-watershed may cross a boundary.
create table headwater.mws (
  tehsil_id integer not null references headwater.tehsils (id) on delete cascade,
  uid text collate "C" not null,
  geometry geometry (Geometry, 4326) not null,
  primary key (tehsil_id, uid)
);
create index mws_geometry on headwater.mws using gist (geometry);

-- Village ids are census codes; 0 means "none" and may repeat.
create table headwater.villages (
  tehsil_id integer not null references headwater.tehsils (id) on delete cascade,
  ordinal integer not null,
  village_id bigint not null,
  name text not null,
  geometry geometry (Geometry, 4326) not null,
  primary key (tehsil_id, ordinal)
);
create index villages_geometry on headwater.villages using gist (geometry);

create table headwater.datasets (
  id integer generated always as identity primary key,
  name text collate "C" not null unique,
  layer_type text not null check (layer_type in ('vector', 'raster')),
  workspace text not null,
  style_name text not null
);
