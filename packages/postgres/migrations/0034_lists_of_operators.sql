-- Lists for operators: 100,000 runs and layers are filtered, sorted and cut by indexes.

-- Id of the tehsil in a run's parameters, if any. Parameters are text, because jsonb cannot store all characters;
-- quotes in JSON texts are escaped, so no value matches.
create function headwater.run_tehsil(params text) returns integer language sql immutable strict parallel safe as $$
  select substring(params from '"tehsilId":(\d{1,9})[,}]')::integer
$$;
create index runs_tehsil on headwater.runs (headwater.run_tehsil(params), seq);

-- Runs by state and pipeline. Unended runs have no duration.
create index runs_state on headwater.runs (state collate "C", seq);
create index runs_pipeline on headwater.runs (pipeline, seq);
create index runs_duration on headwater.runs ((coalesce(finished_at - started_at, interval '0')), seq);

-- Versions of an Item, and its layers and tables.
create index replaced_items_name on headwater.replaced_items (collection_path, id);
create index layers_item on headwater.layers (item_id);
create index data_tables_item on headwater.data_tables (item_id) where item_id is not null;
