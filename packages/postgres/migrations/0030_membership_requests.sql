-- The organisation that a person named when registering: membership needs the approval of a superuser or a member.
alter table headwater.users add column requested_organization_id uuid references headwater.organizations (id);
create index users_requested_organization on headwater.users (requested_organization_id);
