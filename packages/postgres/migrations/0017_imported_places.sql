-- True for tehsils that an import created or changed. They do not depend on the folders of place files.
alter table headwater.tehsils add column is_imported boolean not null default false;
