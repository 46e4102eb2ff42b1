-- API keys of users: only the first eight characters, and the SHA-256 (hex) of the whole key.
create table headwater.api_keys (
  id integer generated always as identity primary key,
  prefix text collate "C" not null unique,
  hash text not null,
  user_id integer not null references headwater.users (id) on delete cascade,
  name text not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  deactivated_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_user on headwater.api_keys (user_id, id);

-- Uses of each key on each day (UTC).
create table headwater.api_key_days (
  prefix text collate "C" not null references headwater.api_keys (prefix) on delete cascade,
  day date not null,
  uses bigint not null,
  primary key (prefix, day)
);
