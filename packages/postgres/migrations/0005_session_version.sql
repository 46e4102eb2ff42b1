-- Tokens contain the version of their creation; a change of the password increases it, which ends every session at once.

alter table headwater.users add column session_version integer not null default 0;
