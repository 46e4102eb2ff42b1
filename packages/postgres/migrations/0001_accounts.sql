-- Sign-in: people, Earth-observation accounts, refresh tokens, failed attempts. `*_key` columns hold a SHA-256 from
-- TypeScript, so that any text can be unique.

create table headwater.users (
  id integer generated always as identity primary key,
  username text not null,
  username_key text not null unique,
  email text not null,
  first_name text not null,
  last_name text not null,
  contact_number text,
  is_active boolean not null,
  is_superuser boolean not null,
  password_hash text not null,
  created_at timestamptz not null default now()
);

create table headwater.eo_accounts (
  id integer generated always as identity primary key,
  name text not null,
  account_email text,
  is_visible boolean not null
);

-- A family outlives its tokens, so that a token that is added after a revocation is revoked too.
create table headwater.refresh_families (
  id text primary key,
  expires_at timestamptz not null,
  revoked_at timestamptz
);

create table headwater.refresh_tokens (
  jti text primary key,
  family_id text not null references headwater.refresh_families (id) on delete cascade,
  user_id integer not null,
  expires_at timestamptz not null,
  spent_at timestamptz
);
create index refresh_tokens_family on headwater.refresh_tokens (family_id);
create index refresh_tokens_expiry on headwater.refresh_tokens (expires_at);

create table headwater.login_failures (
  key text not null,
  at_ms bigint not null
);
create index login_failures_window on headwater.login_failures (key, at_ms);
create index login_failures_age on headwater.login_failures (at_ms);
