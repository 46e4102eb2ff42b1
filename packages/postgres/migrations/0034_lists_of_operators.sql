-- Lists for operators: 100,000 runs and layers are filtered, sorted and cut by indexes.

-- Id of the tehsil in the parameters of a run; null without one. Parameters are text, because they may contain characters that jsonb cannot
-- store. Quotes inside of JSON texts are escaped, so no text value matches.
create function headwater.run_tehsil(params text) returns integer language sql immutable strict parallel safe as $$
  select substring(params from '"tehsilId":(\d{1,9})[,}]')::integer
$$;
create index runs_tehsil on headwater.runs (headwater.run_tehsil(params), seq);

-- Runs by state and by pipeline, newest first or last. Runs that have not ended have no duration.
create index runs_state on headwater.runs (state collate "C", seq);
create index runs_pipeline on headwater.runs (pipeline, seq);
create index runs_duration on headwater.runs ((coalesce(finished_at - started_at, interval '0')), seq);

-- Versions of one Item, and the layers and tables that belong to it.
create index replaced_items_name on headwater.replaced_items (collection_path, id);
create index layers_item on headwater.layers (item_id);
create index data_tables_item on headwater.data_tables (item_id) where item_id is not null;
