-- Tehsils that an import made or changed: no folder of place files names them, and none decides whether they stay.
alter table headwater.tehsils add column is_imported boolean not null default false;
