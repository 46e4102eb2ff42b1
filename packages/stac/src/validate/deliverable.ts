import { isList, isObject, isText, type JsonObject } from '../json.ts';
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
const FILE =
  /\.(?:tiff?|vrt|img|jp2|nc|h5|hdf5?|grib2?|npy|zarr|geojson|json|shp|gpkg|fgb|kml|kmz|gpx|sqlite|parquet|csv|xlsx?|zip|tar|gz|png|qml|sld)\/?$/i;

/** Which of the three forms a text has; undefined for an address, for prose and for nothing. */
export function formOf(text: string): Form | undefined {
  // What a store holds under a name of its own; clients cannot fetch it by that.
  if (/^(?:gs|s3|az|abfss?|ee):\/\//i.test(text.trim())) return 'asset-id';
  // JSON that was not read, and punctuation alone, name nothing.
  if (/^[^\p{L}\p{N}]*$/u.test(text) || /^\s*[[{"]/.test(text)) return undefined;
  if (text === '' || /\s/.test(text.trim()) || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    return hrefKind(text) === 'local' ? 'local-path' : undefined;
  }
  const isPath = hrefKind(text) === 'local' || /^(?:\/|\.{1,2}\/)|\\/.test(text) || FILE.test(text);
  if (isPath) return 'local-path';
  // `projects/p/assets/x`, `users/u/x`, `COLLECTION/x`: folders of an Earth-observation platform.
  return text.includes('/') ? 'asset-id' : 'layer-name';
}

/** Ends of the names of members under which results are told, and the form that each says of itself; an asset's path is its id. */
const MEMBERS: readonly (readonly [end: RegExp, form: Form])[] = [
  [/(?:^|_)asset(?:_ids?|_paths?|_names?)?$/, 'asset-id'],
  [/(?:^|_)(?:layers?(?:_names?|_ids?)?|type_?names?)$/, 'layer-name'],
  [/(?:^|_)(?:paths?|files?(?:_?names?|_?paths?)?)$/, 'local-path'],
];

/** The form that a member says of itself by its name, however its words are put together: `gee_asset_path`, `outputFile`. */
function formOfMember(name: string): Form | undefined {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return MEMBERS.find(([end]) => end.test(words))?.[1];
}

/** Members that hold the answer of whoever computed it. */
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

/** How many answers are looked into that hold another. */
const MOST_WRAPPERS = 3;

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
    if (isObject(each) && each['type'] !== 'Feature') lookInto(report, at('', index), { answer: each, depth: 1 });
  }
  return report.findings.length > told;
}

/** Tells where an object that is no Feature carries a result in one of the three forms, alone, in a list or in an answer within it. */
export function checkWrappedDeliverable(report: Report, document: JsonObject): void {
  if (document['type'] !== 'Feature') lookInto(report, '', { answer: document, depth: 0 });
}

function lookInto(
  report: Report,
  pointer: string,
  { answer, depth }: { readonly answer: JsonObject; readonly depth: number },
): void {
  for (const [key, value] of Object.entries(answer)) {
    const form = formOfMember(key);
    const here = at(pointer, key);
    if (form !== undefined) tellEach(report, here, { value, form });
    if (form !== undefined || !WRAPPERS.has(key)) continue;
    tellEach(report, here, { value, form: undefined });
    for (const [place, each] of eachOf(here, value))
      if (isObject(each) && depth < MOST_WRAPPERS && each['type'] !== 'Feature')
        lookInto(report, place, { answer: each, depth: depth + 1 });
  }
}

/** What a list holds, or a value alone, each with its pointer. */
function eachOf(pointer: string, value: unknown): readonly (readonly [pointer: string, value: unknown])[] {
  return isList(value) ? value.map((each, index) => [at(pointer, index), each]) : [[pointer, value]];
}

/** A text, or texts of a list; without a form of their own where the texts themselves have none. */
function tellEach(
  report: Report,
  pointer: string,
  { value, form }: { readonly value: unknown; readonly form: Form | undefined },
): void {
  for (const [here, text] of eachOf(pointer, value)) {
    if (!isText(text)) continue;
    const own = formOf(text);
    // A bare word is what its member says that it is.
    const told = own === undefined || own === 'layer-name' ? (form ?? own) : own;
    if (told !== undefined) tell(report, here, { form: told, got: text });
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
