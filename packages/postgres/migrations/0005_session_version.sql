-- A token contains the version at its creation. A change of the password increases the version, which ends every
-- session immediately.

alter table headwater.users add column session_version integer not null default 0;
