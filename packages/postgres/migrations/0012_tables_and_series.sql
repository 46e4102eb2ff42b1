-- Published tables and daily numbers of a tehsil, replaced as a whole. JSON is text, so its bytes stay unparsed.

create table headwater.data_tables (
  id bigint generated always as identity primary key,
  tehsil_id integer not null,
  name text collate "C" not null,
  key_column text not null,
  columns text not null,
  item_id text,
  row_count integer not null,
  run_id text not null,
  version integer not null,
  published_at timestamptz not null,
  unique (tehsil_id, name)
);
create index data_tables_run on headwater.data_tables (run_id);

-- A row of a table. No foreign key, because checking 30,000 rows takes longer than writing them.
create table headwater.data_rows (
  table_id bigint not null,
  key text collate "C" not null,
  position integer not null,
  cells text not null,
  primary key (table_id, key)
);

create table headwater.data_series (
  id bigint generated always as identity primary key,
  tehsil_id integer not null,
  name text collate "C" not null,
  unit text,
  description text not null,
  dates text not null,
  run_id text not null,
  version integer not null,
  published_at timestamptz not null,
  unique (tehsil_id, name)
);
create index data_series_run on headwater.data_series (run_id);

-- Numbers of one uid, one per date of the series.
create table headwater.series_values (
  series_id bigint not null,
  uid text collate "C" not null,
  numbers text not null,
  primary key (series_id, uid)
);

-- Number of tables and series of a run. Later requests reuse the run while all exist.
alter table headwater.runs add column data_count integer not null default 0;
