-- Imported places become active once something of them is published. What an operator made inactive stays so, until he makes it active.
alter table headwater.states add column stays_inactive boolean not null default false;
alter table headwater.districts add column stays_inactive boolean not null default false;
alter table headwater.tehsils add column stays_inactive boolean not null default false;

-- Nobody else has made a place inactive until now.
update headwater.states set stays_inactive = true where not is_active;
update headwater.districts set stays_inactive = true where not is_active;
update headwater.tehsils set stays_inactive = true where not is_active;
