-- Lists for operators: pages and counts with any filter read an index.

-- Counts with any filter; equal keys are stored once, so these indexes are small.
create index runs_filters on headwater.runs (backend, pipeline, state collate "C");
create index users_filters on headwater.users (is_superuser, is_active, may_compute);
-- Pages of rare values; other pages are read in the order of the list.
create index users_active on headwater.users (is_active, id);
create index users_computing on headwater.users ((may_compute or is_superuser), id);
