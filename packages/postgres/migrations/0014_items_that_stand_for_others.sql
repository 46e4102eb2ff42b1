-- Id of the earlier run whose equal Item this Item replaced; that run's result stays valid.
alter table headwater.items add column stands_for text;
create index items_stands_for on headwater.items (stands_for) where stands_for is not null;
