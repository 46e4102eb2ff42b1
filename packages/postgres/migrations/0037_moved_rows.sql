-- Rows of another system that were moved to this one: its id, the id here, and a digest of what was moved. A row is stored in the transaction
-- that stores what it names, so that a second move neither repeats nor misses anything. `rights` are those that the last move gave, so that a
-- later one applies only what differs from them.
create table headwater.moved_rows (
  source text collate "C" not null,
  kind text collate "C" not null,
  source_id text collate "C" not null,
  target_id text not null,
  digest text not null,
  rights jsonb not null default '{}',
  primary key (source, kind, source_id)
);
