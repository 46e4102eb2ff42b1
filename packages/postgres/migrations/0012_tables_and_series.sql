-- Tables of a tehsil and daily numbers that runs published. Each is replaced as a whole by the next publication of its
-- name. JSON is stored as text, so its bytes are stored unparsed.

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

-- One row of a table: its cells in the order of the columns. No foreign key: rows are deleted with the statement that replaces their
-- table, and checking each of 30,000 would take longer than writing them.
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

-- The numbers of one uid, one for each date of the series.
create table headwater.series_values (
  series_id bigint not null,
  uid text collate "C" not null,
  numbers text not null,
  primary key (series_id, uid)
);

-- Number of tables and series that a run published. While all of them are present, later requests can reuse the result
-- of the run.
alter table headwater.runs add column data_count integer not null default 0;
