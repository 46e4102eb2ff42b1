-- Imported places become active when results are published for them. A place that an operator deactivated stays
-- inactive until an operator activates it.
alter table headwater.states add column stays_inactive boolean not null default false;
alter table headwater.districts add column stays_inactive boolean not null default false;
alter table headwater.tehsils add column stays_inactive boolean not null default false;

-- Until now only operators have deactivated places.
update headwater.states set stays_inactive = true where not is_active;
update headwater.districts set stays_inactive = true where not is_active;
update headwater.tehsils set stays_inactive = true where not is_active;
