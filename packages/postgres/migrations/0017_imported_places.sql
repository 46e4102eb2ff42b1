-- True for tehsils that an import created or changed. Such tehsils do not depend on place files.
alter table headwater.tehsils add column is_imported boolean not null default false;
