-- Who may start computations: everybody who has an account today, and nobody who registers by himself until a superuser allows it.
alter table headwater.users add column may_compute boolean not null default true;
alter table headwater.users alter column may_compute drop default;

-- Whom people work for. `name_key` is a SHA-256 of the name in lower case, computed in TypeScript.
create table headwater.organizations (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  name_key text not null unique
);

-- What people tell of themselves; no request but those that show people reads it.
alter table headwater.users
  add column organization_id uuid references headwater.organizations (id),
  add column age smallint,
  add column education_qualification text,
  add column gender text check (gender in ('M', 'F', 'O')),
  add column account_type text check (account_type in ('individual', 'org'));
create index users_organization on headwater.users (organization_id);
