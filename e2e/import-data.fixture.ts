import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workbookStream, type WorkbookSheet } from '@headwater/http-service';
import { boxPolygon } from '../scripts/boxes.mjs';

/** Names of the tehsil, as a file of `places` contains them. */
export const NAMES = { state: 'Aland', district: 'Bland', tehsil: 'Cland' };
/** Uid of the tehsil's only micro-watershed. */
export const UID = '12_1';
const STEM = 'bland_cland';

/** Import options of the layer. */
export const LAYER_OPTIONS = {
  name: 'drainage',
  workspace: 'imported',
  dataset: 'Drainage',
  title: 'Drainage lines',
  description: 'Drawn from a map sheet.',
  license: 'CC-BY-4.0',
  providers: [{ name: 'Survey office', roles: ['producer'] }],
  start: '2020-07-01',
  end: '2021-06-30',
};

/** Paths of the files: one of each kind that can be imported, except villages. `options` belongs to the layer. */
export interface DataFiles {
  readonly places: string;
  readonly mws: string;
  readonly workbook: string;
  readonly series: string;
  readonly layer: string;
  readonly options: string;
}

/** Writes the small files of `DataFiles`. `value` distinguishes the contents of two imports. */
export async function writeDataFiles(folder: string, value: number): Promise<DataFiles> {
  const put = async (name: string, content: string | Uint8Array): Promise<string> => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  const day = `{"ET": ${value}, "RunOff": 4, "Precipitation": 66, "G": 1, "DeltaG": 2}`;
  return {
    places: await put('places.geojson', collection(NAMES)),
    mws: await put('mws.geojson', collection({ ...NAMES, uid: UID })),
    workbook: await put(`${STEM}.xlsx`, await workbook(value)),
    series: await put(`deltaG_fortnight_${STEM}.geojson`, collection({ uid: UID, '2017-07-01': day })),
    layer: await put(`drainage_${STEM}.geojson`, collection({ uid: UID, order: value })),
    options: await put('drainage.json', JSON.stringify(LAYER_OPTIONS)),
  };
}

function collection(properties: object): string {
  const geometry = boxPolygon({ west: 78, south: 17, east: 79, north: 18 });
  return JSON.stringify({ type: 'FeatureCollection', features: [{ type: 'Feature', properties, geometry }] });
}

async function workbook(cluster: number): Promise<Uint8Array> {
  const sheets = async function* (): AsyncGenerator<WorkbookSheet> {
    yield { name: 'terrain', columns: ['UID', 'terrain_cluster_id'], rows: [[UID, cluster]] };
  };
  return new Uint8Array(await new Response(workbookStream(sheets())).arrayBuffer());
}
