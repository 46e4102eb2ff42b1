-- What a search of a small place reads in order to put its Items in order: their bounds, times and names stand in one index, side by side for Items
-- that lie side by side, and the rows, each some kilobytes wide and on a page of its own, are read of those alone that a page shows.
alter table headwater.items
  add column bounds box generated always as (box(geometry)) stored;
create index items_bounds on headwater.items using gist (bounds) include (start_key, end_key, id, collection_id);
