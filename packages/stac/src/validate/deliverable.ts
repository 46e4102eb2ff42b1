import { isList, isText, type JsonObject } from '../json.ts';
import { hrefKind } from './formats.ts';
import { at, type Report } from './report.ts';

/** The three things that a compute result must not be alone (interface specification, "STAC Item"). */
export type Form = 'asset-id' | 'layer-name' | 'local-path';

const NAMES: Readonly<Record<Form, string>> = {
  'asset-id': 'only an asset id',
  'layer-name': "only a map server's layer name",
  'local-path': 'only a local file path',
};

const FIXES: Readonly<Record<Form, string>> = {
  'asset-id': 'export the asset, and give the Item whose data asset leads to the export',
  'layer-name': "give the Item whose data asset is the layer's WFS or WCS address",
  'local-path': 'publish the file, and give the Item whose data asset leads to it',
};

/** File types that layers come in. */
const FILE = /\.(?:tiff?|vrt|nc|h5|zarr|geojson|json|shp|gpkg|kml|parquet|csv|xlsx?|zip|png)$/i;

/** Which of the three forms a text has; undefined for an address, for prose and for nothing. */
export function formOf(text: string): Form | undefined {
  if (text === '' || /\s/.test(text.trim()) || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    return hrefKind(text) === 'local' ? 'local-path' : undefined;
  }
  const isPath = hrefKind(text) === 'local' || /^(?:\/|\.{1,2}\/)|\\/.test(text) || FILE.test(text);
  if (isPath) return 'local-path';
  // `projects/p/assets/x`, `users/u/x`, `COLLECTION/x`: folders of an Earth-observation platform.
  return text.includes('/') ? 'asset-id' : 'layer-name';
}

/** Members under which results of that kind are told, by the form that each says of itself. */
const MEMBERS: Readonly<Record<string, Form>> = {
  asset_id: 'asset-id',
  assetId: 'asset-id',
  layer: 'layer-name',
  layer_name: 'layer-name',
  layerName: 'layer-name',
  path: 'local-path',
  file: 'local-path',
  file_path: 'local-path',
  filename: 'local-path',
};

/** Tells which non-conforming deliverable a document that is no object is; true where it is one of the three. */
export function checkBareDeliverable(report: Report, value: unknown): boolean {
  const form = typeof value === 'string' ? formOf(value) : undefined;
  if (form !== undefined) {
    tell(report, '', { form, got: value });
    return true;
  }
  if (!isList(value)) return false;
  const told = report.findings.length;
  for (const [index, each] of value.entries()) {
    const inList = typeof each === 'string' ? formOf(each) : undefined;
    if (inList !== undefined) tell(report, at('', index), { form: inList, got: each });
  }
  return report.findings.length > told;
}

/** Tells where an object that is no Feature carries a result in one of the three forms. */
export function checkWrappedDeliverable(report: Report, document: JsonObject): void {
  if (document['type'] === 'Feature') return;
  for (const [key, value] of Object.entries(document)) {
    const form = Object.hasOwn(MEMBERS, key) ? MEMBERS[key] : undefined;
    if (form !== undefined && isText(value)) tell(report, at('', key), { form: formOf(value) ?? form, got: value });
  }
}

/** Tells where the address of a layer is an asset id or a layer's name; true where it is. */
export function checkHrefForm(report: Report, pointer: string, href: string): boolean {
  const form = formOf(href);
  // Other relative references are told as such: `tiles/x` may be an asset id or a file beside the document.
  const isPlain = form === 'layer-name' || (form === 'asset-id' && /^(?:projects|users)\//.test(href));
  if (form !== undefined && isPlain) tell(report, pointer, { form, got: href, rule: 'href' });
  return isPlain;
}

function tell(
  report: Report,
  pointer: string,
  { form, got, rule = 'deliverable' }: { readonly form: Form; readonly got: unknown; readonly rule?: string },
): void {
  report.add(pointer, {
    rule: `${rule}.${form}`,
    got,
    expected: `a STAC Item; this is ${NAMES[form]}`,
    fix: FIXES[form],
    source: 'spec',
  });
}
