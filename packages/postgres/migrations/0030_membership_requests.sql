-- Organisation named at registration; membership needs an approval.
alter table headwater.users add column requested_organization_id uuid references headwater.organizations (id);
create index users_requested_organization on headwater.users (requested_organization_id);
