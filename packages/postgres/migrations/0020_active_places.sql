-- Imported places become active with their first results, unless an operator deactivated them.
alter table headwater.states add column stays_inactive boolean not null default false;
alter table headwater.districts add column stays_inactive boolean not null default false;
alter table headwater.tehsils add column stays_inactive boolean not null default false;

-- Until now, only operators deactivated places.
update headwater.states set stays_inactive = true where not is_active;
update headwater.districts set stays_inactive = true where not is_active;
update headwater.tehsils set stays_inactive = true where not is_active;
