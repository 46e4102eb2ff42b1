-- Rows moved from another system: both ids, and a digest of the data. Stored in the transaction of the row, so that a
-- second move neither repeats nor misses a row. `rights`: rights given by the last move.
create table headwater.moved_rows (
  source text collate "C" not null,
  kind text collate "C" not null,
  source_id text collate "C" not null,
  target_id text not null,
  digest text not null,
  rights jsonb not null default '{}',
  primary key (source, kind, source_id)
);
