-- Index for small boxes: bounds, times and names, so that rows of some kilobytes are read only for one page.
alter table headwater.items
  add column bounds box generated always as (box(geometry)) stored;
create index items_bounds on headwater.items using gist (bounds) include (start_key, end_key, id, collection_id);
