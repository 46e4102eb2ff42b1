-- Items of regions are listed separately and removed by age, so that thousands of regions do not slow other lists.
-- Queries must repeat the condition with exactly this text.
create index items_run_of_tehsils on headwater.items (run_id) where collection_path not like 'regions/custom/%';
create index items_run_of_regions on headwater.items (run_id) where collection_path like 'regions/custom/%';
create index items_age_of_regions on headwater.items (published_at) where collection_path like 'regions/custom/%';
create index replaced_items_of_regions on headwater.replaced_items (collection_path) where collection_path like 'regions/custom/%';
