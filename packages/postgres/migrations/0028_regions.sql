-- Items of regions are listed apart from those of tehsils, and removed by age. Each list reads its own index. So
-- thousands of regions do not slow the list of tehsils. Queries must repeat the condition with exactly this text.
create index items_run_of_tehsils on headwater.items (run_id) where collection_path not like 'regions/custom/%';
create index items_run_of_regions on headwater.items (run_id) where collection_path like 'regions/custom/%';
create index items_age_of_regions on headwater.items (published_at) where collection_path like 'regions/custom/%';
create index replaced_items_of_regions on headwater.replaced_items (collection_path) where collection_path like 'regions/custom/%';
