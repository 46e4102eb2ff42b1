-- A person who registers may name any organisation. The public list contains only organisations that a superuser
-- created or accepted.
alter table headwater.organizations add column is_listed boolean not null default false;
alter table headwater.organizations alter column is_listed drop default;
