-- A person who registers may name an organisation; the public list contains only those that a superuser created or accepted.
alter table headwater.organizations add column is_listed boolean not null default false;
alter table headwater.organizations alter column is_listed drop default;
