-- Actions of superusers in the admin. Entries refer to no table, so an entry stays when its subject is deleted.
create table headwater.audit_entries (
  id integer generated always as identity primary key,
  at timestamptz not null,
  actor_id integer not null,
  actor_name text not null,
  action text collate "C" not null,
  resource text collate "C" not null,
  row_id text collate "C" not null,
  title text not null,
  changes json not null,
  address text
);
create index audit_entries_row on headwater.audit_entries (resource, row_id, id);
create index audit_entries_at on headwater.audit_entries (at);

-- Orders of the list of users, which the admin shows in pages.
create index users_name_order on headwater.users (lower(username collate "C") collate "C", id);
create index users_email_order on headwater.users (lower(email collate "C") collate "C", id);
