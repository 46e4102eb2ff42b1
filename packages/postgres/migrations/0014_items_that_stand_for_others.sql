-- The run whose Item of this name an Item replaced by one that says the same of the same files: that run's stored result goes on
-- answering. Null for most.
alter table headwater.items add column stands_for text;
create index items_stands_for on headwater.items (stands_for) where stands_for is not null;
