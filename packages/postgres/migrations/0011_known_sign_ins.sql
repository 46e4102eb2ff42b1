-- Places of earlier sign-ins by name; failed attempts from other places do not delay these.
-- Both keys are SHA-256, of the name with the address and of the name; times are milliseconds since 1970.
create table headwater.known_sign_ins (
  key text primary key,
  name_key text not null,
  at_ms bigint not null
);
create index known_sign_ins_name on headwater.known_sign_ins (name_key, at_ms);
create index known_sign_ins_age on headwater.known_sign_ins (at_ms);
