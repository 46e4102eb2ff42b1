import type { Database } from '@headwater/postgres';
import { GRID } from '../lookups/grid.ts';

/** Sheets that the live system fills, each with its number of columns for ten years of data. */
const SHEETS = [
  ['croppingIntensity_annual', 31],
  ['surfaceWaterBodies_annual', 41],
  ['change_detection_degradation', 6],
  ['change_detection_cropintensity', 8],
  ['terrain', 7],
  ['lulc_vector', 122],
  ['mws', 5],
  ['nrega_annual', 70],
] as const;
const SERIES = ['ndvi_crop', 'ndvi_shrub', 'ndvi_tree'] as const;
const DATES = 230;
/** Number of decimals of a value in a series. The service stores means unrounded, so real values are as long. */
const DECIMALS = 16;
const FIGURE = DECIMALS + 3;
const LAYERS = 40;
const AT_ONCE = 500;

const RUN = '0190a000-0000-7000-8000-00000000cafe';

const ITEM_COLUMNS = 120;

function columnsOf(count: number): string {
  const years = Array.from({ length: count - 1 }, (_, at) => ({
    name: `area_${2016 + (at % 10)}_${Math.floor(at / 10)}`,
    type: 'number',
    unit: 'ha',
    description: 'Area in hectares',
  }));
  return JSON.stringify([{ name: 'uid', type: 'text', description: 'Micro-watershed' }, ...years]);
}

function figures(count: number, decimals: number, seed: number): string {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32).toFixed(decimals);
  }).join(',');
}

function itemText(): string {
  const columns = Array.from({ length: ITEM_COLUMNS }, (_, at) => ({
    name: `area_class_${at}`,
    type: 'float64',
    description: 'Area of the class in the year, hectares, from yearly composites of optical scenes at ten metres',
  }));
  const properties = {
    title: 'Land use and land cover',
    description: 'Areas by class and micro-watershed.',
    datetime: '2026-07-01T00:00:00Z',
    start_datetime: '2016-07-01T00:00:00Z',
    end_datetime: '2026-06-30T23:59:59Z',
    keywords: ['land cover'],
    'table:columns': columns,
  };
  return JSON.stringify({ type: 'Feature', stac_version: '1.1.0', id: 'ID', properties, links: [], assets: {} });
}

const VILLAGES = `insert into headwater.villages (tehsil_id, ordinal, village_id, name, geometry)
  select tehsil_id, row_number() over (partition by tehsil_id order by uid), tehsil_id * 1000 + row_number() over (partition by tehsil_id order by uid),
    'Village ' || uid, geometry from headwater.mws where tehsil_id between $1 and $2`;
const TABLES = `insert into headwater.data_tables (tehsil_id, name, key_column, columns, row_count, run_id, version, published_at)
  select id, $3, 'uid', $4, 100, '${RUN}', 1, now() from headwater.tehsils where id between $1 and $2`;
const ROWS = `insert into headwater.data_rows (table_id, key, position, cells)
  select t.id, m.uid, row_number() over (partition by t.id order by m.uid), '["' || m.uid || '",' || $4 || ']'
  from headwater.data_tables t join headwater.mws m on m.tehsil_id = t.tehsil_id where t.tehsil_id between $1 and $2 and t.name = $3`;
const HEADS = `insert into headwater.data_series (tehsil_id, name, unit, description, dates, run_id, version, published_at)
  select id, $3, null, 'Mean NDVI', $4, '${RUN}', 1, now() from headwater.tehsils where id between $1 and $2`;
const VALUES = `insert into headwater.series_values (series_id, uid, numbers)
  select s.id, m.uid, '[' || substr($4, 1 + ${FIGURE} * (abs(hashtext(m.uid)) % 1000), ${FIGURE} * ${DATES} - 1) || ']'
  from headwater.data_series s join headwater.mws m on m.tehsil_id = s.tehsil_id where s.tehsil_id between $1 and $2 and s.name = $3`;
const ITEMS = `insert into headwater.items (collection_path, id, version, run_id, content, geometry, start_datetime, end_datetime, sent_text, sent_form)
  select 'nadi_pradesh/' || d.slug || '/' || t.slug, 'item_' || t.id || '_' || n, 1, '${RUN}', replace($3, 'ID', 'item_' || t.id || '_' || n),
    t.geometry, '2016-07-01Z', '2026-06-30Z', replace($3, 'ID', 'item_' || t.id || '_' || n), 'bench'
  from headwater.tehsils t join headwater.districts d on d.id = t.district_id, generate_series(1, ${LAYERS}) as n where t.id between $1 and $2`;
const LAYER_ROWS = `insert into headwater.layers (workspace, layer_name, dataset_name, layer_type, tehsil_id, item_id, asset_key, style_key, version)
  select 'workspace_' || n, 'layer_' || t.id || '_' || n, 'Dataset ' || n, case n % 2 when 0 then 'raster' else 'vector' end, t.id,
    'item_' || t.id || '_' || n, '${RUN}/1/layer_' || t.id || '_' || n || '.geojson', null, 1
  from headwater.tehsils t, generate_series(1, ${LAYERS}) as n where t.id between $1 and $2`;

/**
 * Adds villages, tables, series, Items and layers to tehsils 1 to `last`. Returns the seconds that each group of 500
 * tehsils took.
 */
export async function loadData(database: Database, last = GRID.columns * GRID.rows): Promise<readonly number[]> {
  const seconds: number[] = [];
  for (let from = 1; from <= last; from += AT_ONCE) {
    const start = performance.now();
    await loadTehsils(database, [from, from + AT_ONCE - 1]);
    seconds.push((performance.now() - start) / 1000);
  }
  await database.script('analyze');
  return seconds;
}

async function loadTehsils(database: Database, range: readonly [number, number]): Promise<void> {
  await database.run(VILLAGES, range);
  for (const [at, [name, columns]] of SHEETS.entries()) {
    await database.run(TABLES, [...range, name, columnsOf(columns)]);
    await database.run(ROWS, [...range, name, figures(columns - 1, 3, at + 1)]);
  }
  const dates = JSON.stringify(
    Array.from({ length: DATES }, (_, at) => new Date(Date.UTC(2016, 6, 1 + 16 * at)).toISOString().slice(0, 10)),
  );
  for (const [at, name] of SERIES.entries()) {
    await database.run(HEADS, [...range, name, dates]);
    await database.run(VALUES, [...range, name, figures(1000 + DATES, DECIMALS, at + 1)]);
  }
  await database.run(ITEMS, [...range, itemText()]);
  await database.run(LAYER_ROWS, range);
}
