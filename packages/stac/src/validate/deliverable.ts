import { isList, isObject, isText, type JsonObject } from '../json.ts';
import { hrefKind } from './formats.ts';
import { at, type Report } from './report.ts';

/** Kind of a result that is not an Item (interface specification, "STAC Item"). */
export type Form = 'asset-id' | 'layer-name' | 'local-path';

const NAMES: Readonly<Record<Form, string>> = {
  'asset-id': 'only an asset id',
  'layer-name': "only a map server's layer name",
  'local-path': 'only a local file path',
};

const FIXES: Readonly<Record<Form, string>> = {
  'asset-id': 'export the asset, and return an Item whose data asset links to the export',
  'layer-name': "return an Item whose data asset is the layer's WFS or WCS address",
  'local-path': 'publish the file, and return an Item whose data asset links to it',
};

/** File name extensions of layers. */
const FILE =
  /\.(?:tiff?|vrt|img|jp2|nc|h5|hdf5?|grib2?|npy|zarr|geojson|json|shp|gpkg|fgb|kml|kmz|gpx|sqlite|parquet|csv|xlsx?|zip|tar|gz|png|qml|sld)\/?$/i;

/** Form of a text; undefined for a web address, prose or an empty text. */
export function formOf(text: string): Form | undefined {
  // Clients cannot fetch an address in a bucket, so it counts as an asset id.
  if (/^(?:gs|s3|az|abfss?|ee):\/\//i.test(text.trim())) return 'asset-id';
  // A text of only punctuation, or unparsed JSON, has no form.
  if (/^[^\p{L}\p{N}]*$/u.test(text) || /^\s*[[{"]/.test(text)) return undefined;
  if (text === '' || /\s/.test(text.trim()) || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    return hrefKind(text) === 'local' ? 'local-path' : undefined;
  }
  const isPath = hrefKind(text) === 'local' || /^(?:\/|\.{1,2}\/)|\\/.test(text) || FILE.test(text);
  if (isPath) return 'local-path';
  // A text with a slash is an asset id: `projects/p/assets/x`, `users/u/x`, `COLLECTION/x`.
  return text.includes('/') ? 'asset-id' : 'layer-name';
}

/** Form that the end of a member's name implies. A name such as `asset_path` implies an asset id. */
const MEMBERS: readonly (readonly [end: RegExp, form: Form])[] = [
  [/(?:^|_)asset(?:_ids?|_paths?|_names?)?$/, 'asset-id'],
  [/(?:^|_)(?:layers?(?:_names?|_ids?)?|type_?names?)$/, 'layer-name'],
  [/(?:^|_)(?:paths?|files?(?:_?names?|_?paths?)?)$/, 'local-path'],
];

/** Form that a member's name implies, in any spelling: `gee_asset_path`, `outputFile`. */
function formOfMember(name: string): Form | undefined {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return MEMBERS.find(([end]) => end.test(words))?.[1];
}

const WRAPPERS: ReadonlySet<string> = new Set([
  'result',
  'results',
  'output',
  'outputs',
  'data',
  'response',
  'stac_spec',
  'stac_items',
]);

const MOST_WRAPPERS = 3;

/** Reports a text that has one of the forms, also in a list or in an object of a list. Returns true after a report. */
export function checkBareDeliverable(report: Report, value: unknown): boolean {
  const form = typeof value === 'string' ? formOf(value) : undefined;
  if (form !== undefined) {
    reportForm(report, '', { form, got: value });
    return true;
  }
  if (!isList(value)) return false;
  const before = report.findings.length;
  for (const [index, each] of value.entries()) {
    const inList = typeof each === 'string' ? formOf(each) : undefined;
    if (inList !== undefined) reportForm(report, at('', index), { form: inList, got: each });
    if (isObject(each) && each['type'] !== 'Feature') searchMembers(report, at('', index), { answer: each, depth: 1 });
  }
  return report.findings.length > before;
}

/** Reports bare results in an object that is not a Feature, also in lists and wrappers (`result`). */
export function checkWrappedDeliverable(report: Report, document: JsonObject): void {
  if (document['type'] !== 'Feature') searchMembers(report, '', { answer: document, depth: 0 });
}

function searchMembers(
  report: Report,
  pointer: string,
  { answer, depth }: { readonly answer: JsonObject; readonly depth: number },
): void {
  for (const [key, value] of Object.entries(answer)) {
    const form = formOfMember(key);
    const here = at(pointer, key);
    if (form !== undefined) reportEach(report, here, { value, form });
    if (form !== undefined || !WRAPPERS.has(key)) continue;
    reportEach(report, here, { value, form: undefined });
    for (const [place, each] of eachOf(here, value))
      if (isObject(each) && depth < MOST_WRAPPERS && each['type'] !== 'Feature')
        searchMembers(report, place, { answer: each, depth: depth + 1 });
  }
}

function eachOf(pointer: string, value: unknown): readonly (readonly [pointer: string, value: unknown])[] {
  return isList(value) ? value.map((each, index) => [at(pointer, index), each]) : [[pointer, value]];
}

/** Reports texts that have a form, or all texts if the member's name implies a form (`form`). */
function reportEach(
  report: Report,
  pointer: string,
  { value, form }: { readonly value: unknown; readonly form: Form | undefined },
): void {
  for (const [here, text] of eachOf(pointer, value)) {
    if (!isText(text)) continue;
    const own = formOf(text);
    // A text without slash looks like a layer name, but the member's name may imply another form.
    const found = own === undefined || own === 'layer-name' ? (form ?? own) : own;
    if (found !== undefined) reportForm(report, here, { form: found, got: text });
  }
}

/** Reports an href that is only an asset id or layer name. Returns true after a report. */
export function checkHrefForm(report: Report, pointer: string, href: string): boolean {
  const form = formOf(href);
  // A text such as `tiles/x` may also be a relative file, so another rule checks it.
  const isPlain = form === 'layer-name' || (form === 'asset-id' && /^(?:projects|users)\//.test(href));
  if (form !== undefined && isPlain) reportForm(report, pointer, { form, got: href, rule: 'href' });
  return isPlain;
}

function reportForm(
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
