-- The run whose Item of this name was replaced by an Item with the same content and files: that run's stored result remains
-- valid. Null for most.
alter table headwater.items add column stands_for text;
create index items_stands_for on headwater.items (stands_for) where stands_for is not null;
