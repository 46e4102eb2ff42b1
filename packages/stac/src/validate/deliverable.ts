import { isList, isObject, isText, type JsonObject } from '../json.ts';
import { hrefKind } from './formats.ts';
import { at, type Report } from './report.ts';

/**
 * Kinds of results that are not an Item: a bare asset id, layer name or local path (interface specification, "STAC
 * Item").
 */
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

/** Classifies a text as one of the three forms in `Form`. Undefined for an address, for prose and for an empty text. */
export function formOf(text: string): Form | undefined {
  // The address of an object in a bucket counts as an asset id, because clients cannot fetch it.
  if (/^(?:gs|s3|az|abfss?|ee):\/\//i.test(text.trim())) return 'asset-id';
  // Unparsed JSON and a text of punctuation only have none of the three forms.
  if (/^[^\p{L}\p{N}]*$/u.test(text) || /^\s*[[{"]/.test(text)) return undefined;
  if (text === '' || /\s/.test(text.trim()) || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    return hrefKind(text) === 'local' ? 'local-path' : undefined;
  }
  const isPath = hrefKind(text) === 'local' || /^(?:\/|\.{1,2}\/)|\\/.test(text) || FILE.test(text);
  if (isPath) return 'local-path';
  // A text with a slash is an id in a folder of an Earth-observation platform: `projects/p/assets/x`, `users/u/x`, `COLLECTION/x`.
  return text.includes('/') ? 'asset-id' : 'layer-name';
}

/**
 * Patterns for the end of a member's name, each with the form of such a member's value. The path of an asset counts as
 * an asset id.
 */
const MEMBERS: readonly (readonly [end: RegExp, form: Form])[] = [
  [/(?:^|_)asset(?:_ids?|_paths?|_names?)?$/, 'asset-id'],
  [/(?:^|_)(?:layers?(?:_names?|_ids?)?|type_?names?)$/, 'layer-name'],
  [/(?:^|_)(?:paths?|files?(?:_?names?|_?paths?)?)$/, 'local-path'],
];

/**
 * The form that a member's name implies for its value. The name may have any spelling: `gee_asset_path`,
 * `outputFile`.
 */
function formOfMember(name: string): Form | undefined {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return MEMBERS.find(([end]) => end.test(words))?.[1];
}

/** Members that wrap the result of a computation. */
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

/** Number of nested wrappers that are searched. */
const MOST_WRAPPERS = 3;

/** Reports a text in one of the three forms, or such texts in a list. Returns true if a text was reported. */
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

/**
 * Reports results in one of the three forms in an object that is not a Feature. The results may be members of the
 * object, elements of a list, or members of a wrapper (a member such as `result`).
 */
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

/** The elements of a list, or a single value, each with its pointer. */
function eachOf(pointer: string, value: unknown): readonly (readonly [pointer: string, value: unknown])[] {
  return isList(value) ? value.map((each, index) => [at(pointer, index), each]) : [[pointer, value]];
}

/**
 * Reports each text that has one of the forms. `form` is the form that the name of the member implies; undefined if the
 * name implies no form.
 */
function reportEach(
  report: Report,
  pointer: string,
  { value, form }: { readonly value: unknown; readonly form: Form | undefined },
): void {
  for (const [here, text] of eachOf(pointer, value)) {
    if (!isText(text)) continue;
    const own = formOf(text);
    // A text without slashes and blanks looks like a layer name, but the name of the member may imply another form.
    const found = own === undefined || own === 'layer-name' ? (form ?? own) : own;
    if (found !== undefined) reportForm(report, here, { form: found, got: text });
  }
}

/** Reports the address of a layer if the address is an asset id or a layer name; in this case returns true. */
export function checkHrefForm(report: Report, pointer: string, href: string): boolean {
  const form = formOf(href);
  // Other texts with a slash are checked by another rule, because `tiles/x` may be an asset id or a file next to the
  // document.
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
