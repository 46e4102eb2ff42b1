-- Tokens carry the version they were made under; a change of the password raises it, which ends every session at once.

alter table headwater.users add column session_version integer not null default 0;
