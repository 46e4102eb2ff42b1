import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seriesImporter, workbookImporter } from '@headwater/ingest';
import { createSampleService } from '../http/fixture/sample-service.ts';
import { EXAMPLE_UID, type Headwater, toFetchHandler } from '@headwater/http-service';
import { SAMPLE_GEOMETRY } from '../http/fixture/sample-place.ts';
import { requestOf } from './import-request.fixture.ts';
import { collectionText } from './layer.fixture.ts';
import { workbookParts, writeZip } from './workbook-file.fixture.ts';

/** Public address of the service. */
export const BASE = 'http://headwater.example';
/** Micro-watersheds of a tehsil with only imported data. */
export const [ONE, TWO] = ['Mws.77-1', '772'] as const;
/** Query of the reports of this tehsil. */
export const IMPORTED = 'state=sample_state&district=sample_district&block=imported';

const PLACE = 'sample_district_imported';
const R = '2017-2018';

const SHEETS = {
  hydrological_annual: [
    ['UID', `Precipitation_in_mm_${R}`, `RunOff_in_mm_${R}`, `WellDepth_in_m_${R}`],
    [ONE, 900, 90, 4.25],
    // Some programs store an id of digits as a number.
    [Number(TWO), 700, 30, null],
  ],
  nrega_annual: [
    ['mws_id', 'Plantations_count_2018', 'Community assets_count_2018'],
    [ONE, 3, 4],
    [Number(TWO), 2, null],
  ],
  croppingIntensity_annual: [
    ['UID', `cropping_intensity_unit_less_${R}`, `doubly_cropped_area_in_ha_${R}`],
    [ONE, 1.37, 41.5],
  ],
  surfaceWaterBodies_annual: [
    ['UID', `total_area_in_ha_${R}`, `rabi_area_in_ha_${R}`],
    [ONE, 8.5, 2.5],
  ],
  soge_vector: [
    ['UID', 'soge_dev_percent', 'class_code', 'class_name'],
    [ONE, 61.5, '1', 'Semi-critical <b>'],
  ],
  mining: [
    ['UID', 'division', 'proposal', 'village'],
    [ONE, null, 'A quarry', 'Banur'],
    [ONE, null, 'A second quarry', null],
  ],
  mws_intersect_villages: [
    ['MWS UID', 'Village IDs'],
    [ONE, '[7, 8]'],
  ],
  stream_order: [
    ['UID', 'order_1_area_percent'],
    [ONE, 12.5],
  ],
};

const series = (properties: Readonly<Record<string, unknown>>): string =>
  collectionText({ type: 'Feature', geometry: null, properties: { uid: ONE, ...properties } });

/** The sample service with imported workbooks, hydrology and NDVI, for two tehsils. */
export async function serviceWithImports(folder: string): Promise<Headwater> {
  const headwater = await createSampleService({ baseUrl: BASE });
  const { stores } = headwater;
  const ring = SAMPLE_GEOMETRY.coordinates;
  const geometry = {
    type: 'Polygon' as const,
    coordinates: ring.map((each) => each.map(([x = 0, y = 0]) => [x + 1, y])),
  };
  const mws = [ONE, TWO].map((uid) => ({ uid, geometry }));
  await stores.places.saveBundle({
    state: 'Sample State',
    district: 'Sample District',
    tehsil: 'Imported',
    geometry,
    mws,
    villages: [],
  });
  const deps = { stores, ownerId: 1 };
  const workbook = join(folder, `${PLACE}.xlsx`);
  await writeZip(workbook, workbookParts(SHEETS));
  await workbookImporter(deps).run(requestOf(workbook));
  const other = join(folder, 'sample_district_sample_tehsil.xlsx');
  await writeZip(
    other,
    workbookParts({
      river: [
        ['UID', 'river_name'],
        [EXAMPLE_UID, 'Roro'],
      ],
    }),
  );
  await workbookImporter(deps).run(requestOf(other));
  const water = join(folder, `deltaG_fortnight_${PLACE}.geojson`);
  await writeFile(water, series({ '2017-07-01': '{"ET": 31.2, "RunOff": 4.87, "Precipitation": 66.1}' }));
  await seriesImporter(deps).run(requestOf(water));
  const tree = collectionText({
    type: 'Feature',
    geometry: null,
    properties: { mws_id: Number(TWO), '2017-07-01': 0.5 },
  });
  const second = join(folder, `ndvi_timeseries_${PLACE}_tree.geojson`);
  await writeFile(second, tree);
  await seriesImporter(deps).run(requestOf(second));
  const ndvi = join(folder, `ndvi_timeseries_${PLACE}_crop.geojson`);
  await writeFile(ndvi, series({ '2017-07-01': 0.31, '2017-07-17': null }));
  await seriesImporter(deps).run(requestOf(ndvi));
  return headwater;
}

/** Returns a function that reads pages by path below the API. */
export function pageReader(headwater: Headwater): (path: string) => Promise<string> {
  const handler = toFetchHandler(headwater.service);
  return async (path) => {
    const answer = await handler(new Request(`${BASE}/api/v1/${path}`));
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    return await answer.text();
  };
}
