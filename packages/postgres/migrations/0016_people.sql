-- Permission to start computations: existing accounts have it, others get it from a superuser.
alter table headwater.users add column may_compute boolean not null default true;
alter table headwater.users alter column may_compute drop default;

-- Organisations of people. `name_key` is a SHA-256 of the name in lower case, computed in TypeScript.
create table headwater.organizations (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  name_key text not null unique
);

-- Profiles, read only by requests that show people.
alter table headwater.users
  add column organization_id uuid references headwater.organizations (id),
  add column age smallint,
  add column education_qualification text,
  add column gender text check (gender in ('M', 'F', 'O')),
  add column account_type text check (account_type in ('individual', 'org'));
create index users_organization on headwater.users (organization_id);
