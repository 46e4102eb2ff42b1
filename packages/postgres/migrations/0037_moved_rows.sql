-- Rows of another system that were moved to this system: the id there, the id here, and a digest of the moved data. An
-- entry is stored in the transaction that stores the moved row. So a second move neither repeats nor misses a row.
-- `rights` are the rights that the last move gave. A later move applies only the differences from these rights.
create table headwater.moved_rows (
  source text collate "C" not null,
  kind text collate "C" not null,
  source_id text collate "C" not null,
  target_id text not null,
  digest text not null,
  rights jsonb not null default '{}',
  primary key (source, kind, source_id)
);
