-- Roles of people. Groups and permissions are defined in TypeScript.
create table headwater.user_groups (
  user_id integer not null references headwater.users (id) on delete cascade,
  group_id integer not null,
  primary key (user_id, group_id)
);

-- `name_key`: SHA-256 of the name in lower case, computed in TypeScript.
create table headwater.projects (
  id integer generated always as identity primary key,
  name text not null,
  name_key text not null unique,
  organization_id uuid references headwater.organizations (id)
);
create index projects_organization on headwater.projects (organization_id);

create table headwater.project_members (
  id integer generated always as identity primary key,
  project_id integer not null references headwater.projects (id) on delete cascade,
  user_id integer not null references headwater.users (id) on delete cascade,
  group_id integer not null,
  unique (project_id, user_id)
);
create index project_members_user on headwater.project_members (user_id);
