import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { boxPolygon } from '../../../../scripts/boxes.mjs';

/** The tehsil that everything here is of, as a file of `places` names it. */
export const NAMES = { state: 'Aland', district: 'Bland', tehsil: 'Cland' };
/** Its only micro-watershed. */
export const UID = '12_1';
const STEM = 'bland_cland';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE_RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** What is said of the layer, as JSON. */
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

/** Files of every kind, in `folder`. */
export interface DataFiles {
  readonly places: string;
  readonly mws: string;
  readonly workbook: string;
  readonly series: string;
  readonly layer: string;
  /** Of the layer. */
  readonly options: string;
}

/** Writes a small file of every kind; `value` stands in workbook and series, and tells one writing from the other. */
export async function writeDataFiles(folder: string, value: number): Promise<DataFiles> {
  const put = async (name: string, content: string | Uint8Array): Promise<string> => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  const day = `{"ET": ${value}, "RunOff": 4, "Precipitation": 66, "G": 1, "DeltaG": 2}`;
  return {
    places: await put('places.geojson', collection(NAMES)),
    mws: await put('mws.geojson', collection({ ...NAMES, uid: UID })),
    workbook: await put(`${STEM}.xlsx`, workbook(value)),
    series: await put(`deltaG_fortnight_${STEM}.geojson`, collection({ uid: UID, '2017-07-01': day })),
    layer: await put(`drainage_${STEM}.geojson`, collection({ uid: UID, order: value })),
    options: await put('drainage.json', JSON.stringify(LAYER_OPTIONS)),
  };
}

function collection(properties: object): string {
  const geometry = boxPolygon({ west: 78, south: 17, east: 79, north: 18 });
  return JSON.stringify({ type: 'FeatureCollection', features: [{ type: 'Feature', properties, geometry }] });
}

/** A workbook with the sheet `terrain` of one row. */
function workbook(cluster: number): Uint8Array {
  const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const rows = `<row>${cell('UID')}${cell('terrain_cluster_id')}</row><row>${cell(UID)}<c><v>${cluster}</v></c></row>`;
  const parts = {
    '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
    'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="terrain" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])));
}

const relation = (kind: string, target: string): string =>
  `<Relationships xmlns="${PACKAGE_RELATIONS}"><Relationship Id="rId1" Type="${RELATIONS}/${kind}" Target="${target}"/></Relationships>`;
