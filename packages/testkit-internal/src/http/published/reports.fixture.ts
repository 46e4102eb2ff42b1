import type { PublishedTable, TableRow } from '@headwater/core';
import { SYNTHETIC_NOTICE } from '@headwater/core/pipelines';
import type { Headwater } from '@headwater/http-service';
import { createSampleService, publishAsSample } from '../fixture/sample-service.ts';

/** Public address of the service. */
export const BASE = 'http://headwater.example';
/** Micro-watersheds of the sample. */
export const [FIRST, SECOND] = ['12_100174', '12_100175'] as const;
/** Text that is a script, unless the service escapes the text. */
export const EVIL = '<script>alert("1")</script>';

/** A published sheet. Columns whose names contain `_in_ha` are in hectares. */
function sheet(name: string, tehsilId: number, rows: readonly TableRow[]): PublishedTable {
  const columns = Object.keys(rows[0] ?? {}).map((column) =>
    column === 'uid'
      ? ({ name: column, type: 'text', description: 'Micro-watershed' } as const)
      : ({
          name: column,
          type: 'number',
          description: column,
          ...(column.includes('_in_ha') ? { unit: 'ha' } : {}),
        } as const),
  );
  return { name, tehsilId, key: 'uid', columns, rows };
}

function sheets(tehsilId: number): readonly PublishedTable[] {
  const of = (name: string, first: object, second: object): PublishedTable =>
    sheet(name, tehsilId, [
      { uid: FIRST, ...first },
      { uid: SECOND, ...second },
    ]);
  return [
    of(
      'lulc_vector',
      {
        area_in_ha: 3000,
        tree_forest_in_ha_2021: 1234.56,
        tree_forest_in_ha_2022: 1100,
        'built-up_in_ha_2022': 7.25,
        tree_forest_in_ha_2023: 900,
        unseen_in_ha_2023: 600,
        tree_forest_in_ha_2024: 300,
        unseen_in_ha_2024: 1400,
      },
      {
        area_in_ha: 3000,
        tree_forest_in_ha_2021: 65.44,
        tree_forest_in_ha_2022: null,
        'built-up_in_ha_2022': 0.5,
        tree_forest_in_ha_2023: 100,
        unseen_in_ha_2023: 300,
        // Less than half of the micro-watershed was seen, so other figures of 2024 are null.
        tree_forest_in_ha_2024: null,
        unseen_in_ha_2024: 1700,
      },
    ),
    of(
      'croppingIntensity_annual',
      { 'cropping_intensity_unit_less_2021-2022': 1.37, 'doubly_cropped_area_in_ha_2021-2022': 41.5 },
      { 'cropping_intensity_unit_less_2021-2022': 2.5, 'doubly_cropped_area_in_ha_2021-2022': 8.5 },
    ),
    of('surfaceWaterBodies_annual', { 'kharif_area_in_ha_2021-2022': 12.5 }, { 'kharif_area_in_ha_2021-2022': 2 }),
    of(
      'change_detection_urbanization',
      { total_urbanization_area_in_ha: 3.25 },
      { total_urbanization_area_in_ha: null },
    ),
    of('terrain_lulc_slope', { forests_area_percent: 61.4 }, { forests_area_percent: 10 }),
    {
      name: 'mws_intersect_swb',
      tehsilId,
      key: 'id',
      columns: [
        { name: 'id', type: 'text', description: 'Row' },
        { name: 'uid', type: 'text', description: 'Micro-watershed' },
        { name: 'swb_uid', type: 'text', description: 'Body' },
        { name: 'waterbodies_name', type: 'text', description: 'Name' },
        { name: 'latitude', type: 'number', description: 'Degrees' },
        { name: 'longitude', type: 'number', description: 'Degrees' },
        { name: 'area_in_ha', type: 'number', unit: 'ha', description: 'Area' },
      ],
      rows: [
        body(FIRST, 'body_1', { name: EVIL, area: 4.75 }),
        body(FIRST, `body_2${EVIL}`, { name: null, area: null }),
        body(SECOND, 'body_3', { name: null, area: 1 }),
      ],
    },
  ];
}

function body(uid: string, id: string, { name, area }: { name: string | null; area: number | null }): TableRow {
  const position = { latitude: 24.012_34, longitude: 85.5 };
  return { id: `${uid}:${id}`, uid, swb_uid: id, waterbodies_name: name, ...position, area_in_ha: area };
}

/** The sample service with sheets for all sections of a report. One sheet has hostile texts. */
export async function serviceWithSheets(): Promise<Headwater> {
  const headwater = await createSampleService({ baseUrl: BASE });
  const slugs = { state: 'sample_state', district: 'sample_district', tehsil: 'sample_tehsil' };
  const place = await headwater.stores.lookups.tehsilNamed(slugs);
  if (place === undefined) throw new Error('the sample tehsil is missing');
  await publishAsSample(headwater, { items: [], layers: [], tables: sheets(place.tehsilId), timings: {} });
  return headwater;
}

/** Publishes NDVI series of crops and trees, which are marked as synthetic. */
export async function publishSeries(headwater: Headwater): Promise<void> {
  const [tehsil] = await headwater.stores.places.tehsils(1);
  const kinds = ['tree', 'crop'];
  const items = kinds.map((kind) => {
    const id = `place_ndvi_timeseries_${kind}_vector`;
    const properties = { title: `NDVI of ${kind}`, description: `${SYNTHETIC_NOTICE}\n\nNDVI.` };
    return {
      id,
      collectionPath: 'sample_state/sample_district/sample_tehsil',
      item: { id, properties, links: [], assets: {} },
    };
  });
  const series = kinds.map((kind) => ({
    name: `ndvi_${kind}`,
    tehsilId: tehsil?.id ?? 0,
    description: 'NDVI',
    dates: ['2021-07-01'],
    values: { [FIRST]: [0.5] },
  }));
  await publishAsSample(headwater, { items, layers: [], series, timings: {} }, '3');
}
