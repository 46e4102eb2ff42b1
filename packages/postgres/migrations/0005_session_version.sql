-- Each token contains this version. A change of the password increases the version, which ends every session.

alter table headwater.users add column session_version integer not null default 0;
