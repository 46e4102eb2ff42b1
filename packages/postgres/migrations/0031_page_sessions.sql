-- Browser sessions of the pages, by SHA-256 (hex) of each id.
create table headwater.page_sessions (
  hash text collate "C" primary key,
  user_id integer not null references headwater.users (id) on delete cascade,
  session_version integer not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index page_sessions_user on headwater.page_sessions (user_id);
create index page_sessions_expiry on headwater.page_sessions (expires_at);
