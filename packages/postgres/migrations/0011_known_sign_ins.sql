-- Places of earlier sign-ins by name; failed attempts elsewhere do not delay them. Keys are SHA-256 of name with
-- address, and of name; times are epoch ms.
create table headwater.known_sign_ins (
  key text primary key,
  name_key text not null,
  at_ms bigint not null
);
create index known_sign_ins_name on headwater.known_sign_ins (name_key, at_ms);
create index known_sign_ins_age on headwater.known_sign_ins (at_ms);
