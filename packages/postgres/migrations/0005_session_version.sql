-- A token contains this version; a change of the password increases it and ends every session.

alter table headwater.users add column session_version integer not null default 0;
