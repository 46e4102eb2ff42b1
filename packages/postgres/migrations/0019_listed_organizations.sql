-- Whoever registers may name an organisation; strangers are shown those alone that a superuser named or accepted.
alter table headwater.organizations add column is_listed boolean not null default false;
alter table headwater.organizations alter column is_listed drop default;
