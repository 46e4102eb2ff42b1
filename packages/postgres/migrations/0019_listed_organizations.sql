-- Only organisations that a superuser created or accepted are in the public list.
alter table headwater.organizations add column is_listed boolean not null default false;
alter table headwater.organizations alter column is_listed drop default;
