-- Id of an earlier run, if this Item replaced an Item of that run with the same name, content and files. The stored
-- result of that run remains valid. Null for most Items.
alter table headwater.items add column stands_for text;
create index items_stands_for on headwater.items (stands_for) where stands_for is not null;
