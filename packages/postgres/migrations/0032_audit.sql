-- Actions of superusers in the admin. Entries have no references, so that they outlive their subjects.
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

-- Orders of the list of users.
create index users_name_order on headwater.users (lower(username collate "C") collate "C", id);
create index users_email_order on headwater.users (lower(email collate "C") collate "C", id);
