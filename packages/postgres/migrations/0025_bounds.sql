-- Index that sorts the Items of a small box: it contains their bounds, times and names, for neighbouring Items on the same pages. The rows,
-- each some kilobytes wide and on its own page, are read only for the Items of a page.
alter table headwater.items
  add column bounds box generated always as (box(geometry)) stored;
create index items_bounds on headwater.items using gist (bounds) include (start_key, end_key, id, collection_id);
