import { EXTENSIONS, PREFIX_OWNER, type ExtensionName } from '../extensions.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import { COMMON_ELEMENTS, COMMON_METADATA, type Elements, type FieldRule } from './common-metadata.ts';
import { EXTENSION_ELEMENTS, EXTENSION_FIELDS } from './extension-fields.ts';
import { at, type Report } from './report.ts';

type Owned = FieldRule & { readonly owner?: ExtensionName };

const RULES: ReadonlyMap<string, Owned> = new Map([
  ...Object.entries(COMMON_METADATA).map(([key, rule]): [string, Owned] => [
    key,
    { ...rule, rule: `metadata.${key}`, elements: COMMON_ELEMENTS[key] },
  ]),
  ...(Object.keys(EXTENSION_FIELDS) as ExtensionName[]).flatMap((owner) =>
    Object.entries(EXTENSION_FIELDS[owner]).map(([key, rule]): [string, Owned] => [
      key,
      { ...rule, rule: key.replace(':', '.'), owner, elements: EXTENSION_ELEMENTS[key] },
    ]),
  ),
]);

/** Maximum number of nested bands. Each level needs space on the stack, and real documents have one level. */
const MOST_BANDS_DEEP = 16;

/** Checks the common and extension fields of an object; all are optional. */
export function checkMetadata(report: Report, pointer: string, value: JsonObject): void {
  checkWithin(report, pointer, { value, depth: 0 });
}

/** `depth` is the number of enclosing bands. */
function checkWithin(
  report: Report,
  pointer: string,
  { value, depth }: { readonly value: JsonObject; readonly depth: number },
): void {
  for (const key in value) {
    const field = value[key];
    if (field === undefined) continue;
    const rule = RULES.get(key);
    if (rule === undefined) checkUnknown(report, at(pointer, key), key);
    else checkField(report, at(pointer, key), { rule, field });
  }
  if ((value['start_datetime'] === undefined) !== (value['end_datetime'] === undefined)) {
    report.add(pointer, {
      rule: 'datetime.range',
      got: value['start_datetime'] === undefined ? 'end_datetime alone' : 'start_datetime alone',
      expected: 'start_datetime and end_datetime together',
      fix: 'write both',
      source: 'stac',
    });
  }
  // The classification extension also checks `mlm:output`, a field of the extension mlm.
  checkListed(report, at(pointer, 'mlm:output'), { list: value['mlm:output'], owner: 'classification' });
  // Older versions of the raster extension have the same fields in `raster:bands`.
  for (const key of ['bands', 'raster:bands']) {
    if (value[key] !== undefined) checkBands(report, at(pointer, key), { bands: value[key], depth: depth + 1 });
  }
}

function checkField(
  report: Report,
  pointer: string,
  { rule, field }: { readonly rule: Owned; readonly field: unknown },
): void {
  const declared = rule.owner === undefined ? 'exact' : report.declared[rule.owner];
  // Fields of an extension are not checked if another version is declared. But the interface specification applies to
  // tables of every version.
  if (declared === 'other' && !(report.isHeadwater && rule.owner === 'table')) return;
  if (!rule.test(field)) {
    // In the profile `stac`, the fault is only a warning if the official schema accepts the value, or if the extension
    // is not declared.
    const isTolerated = !report.isHeadwater && (declared === 'none' || rule.schema?.(field) === true);
    const severity = isTolerated ? 'warning' : 'error';
    const { rule: name, expected, fix, source } = rule;
    for (const [here, got] of placesOf(pointer, { field, elements: rule.elements }))
      report.add(here, { rule: name, severity, got, expected, fix, source, field: pointer });
  }
  if (declared === 'none' && rule.owner !== undefined && rule.owner !== 'version')
    undeclared(report, pointer, rule.owner);
}

function placesOf(
  pointer: string,
  { field, elements }: { readonly field: unknown; readonly elements: Elements | undefined },
): readonly (readonly [pointer: string, got: unknown])[] {
  const whole = [[pointer, field]] as const;
  if (elements === undefined || !isList(field)) return whole;
  const seen = new Set<unknown>();
  const wrong = [...field.entries()].filter(([, element]) => {
    const key = elements.key === undefined || !isObject(element) ? undefined : element[elements.key];
    const isRepeated = key !== undefined && seen.has(key);
    seen.add(key);
    return isRepeated || !elements.test(element);
  });
  return wrong.length === 0 ? whole : wrong.map(([index, element]) => [at(pointer, index), element]);
}

interface Holder {
  readonly value: JsonObject;
  readonly owner: ExtensionName;
}

/** Checks only one extension's fields in an object, if the supported version is declared. */
export function checkFieldsOf(report: Report, pointer: string, { value, owner }: Holder): void {
  if (report.declared[owner] !== 'exact') return;
  for (const [key, field] of Object.entries(value)) {
    const rule = RULES.get(key);
    if (field === undefined) continue;
    if (rule?.owner === owner) checkField(report, at(pointer, key), { rule, field });
    else if (rule === undefined && key.startsWith(`${owner}:`)) checkUnknown(report, at(pointer, key), key);
  }
}

interface Listed {
  readonly list: unknown;
  readonly owner: ExtensionName;
}

/** Checks the fields of an extension in each object of a list. */
export function checkListed(report: Report, pointer: string, { list, owner }: Listed): void {
  if (list === undefined || report.declared[owner] !== 'exact') return;
  const isValid = isList(list) && list.every(isObject);
  if (!isValid) {
    report.add(pointer, {
      rule: `${owner}.holders`,
      got: list,
      expected: 'a list of objects',
      fix: 'write one object for each element',
      source: EXTENSIONS[owner],
    });
  }
  if (!isList(list)) return;
  for (const [index, value] of list.entries())
    if (isObject(value)) checkFieldsOf(report, at(pointer, index), { value, owner });
}

/** Reports a field of an undeclared extension. */
export function undeclared(report: Report, pointer: string, owner: ExtensionName): void {
  report.add(pointer, {
    rule: 'extension.undeclared',
    severity: 'warning',
    got: `no ${owner} extension in stac_extensions`,
    expected: EXTENSIONS[owner],
    fix: 'declare the extension that the field belongs to',
    source: 'stac',
  });
}

/** Reports an unknown field of an extension: a misspelling, or a field of an older version. */
function checkUnknown(report: Report, pointer: string, key: string): void {
  const colon = key.indexOf(':');
  const owner = colon < 0 ? undefined : PREFIX_OWNER.get(key.slice(0, colon));
  if (owner === undefined || report.declared[owner] === 'other') return;
  const known = Object.keys(EXTENSION_FIELDS[owner]).join(', ');
  report.add(pointer, {
    rule: 'extension.unknown-field',
    // In the profile `stac`, an unknown field of the table extension is only a warning: the schema of the extension
    // allows such fields, but no client reads them.
    severity: report.declared[owner] === 'exact' && (report.isHeadwater || owner !== 'table') ? 'error' : 'warning',
    got: key,
    expected: `one of ${known}`,
    fix: 'correct the name; in older versions some fields had other names (proj:epsg is now proj:code)',
    source: EXTENSIONS[owner],
  });
}

function checkBands(
  report: Report,
  pointer: string,
  { bands, depth }: { readonly bands: unknown; readonly depth: number },
): void {
  // Only the schema of the classification extension checks `raster:bands` of older versions. If the document does
  // not declare this extension, faults are only warnings in the profile `stac`.
  const isTolerated = pointer.endsWith(':bands') && !report.isHeadwater && report.declared.classification !== 'exact';
  const severity = isTolerated ? 'warning' : 'error';
  if (!isList(bands)) {
    report.add(pointer, {
      rule: 'bands.list',
      severity,
      got: bands,
      expected: 'a list of bands',
      fix: 'write one object per band',
      source: 'stac',
    });
    return;
  }
  if (depth > MOST_BANDS_DEEP) {
    report.add(pointer, {
      rule: 'bands.depth',
      got: `bands nested in ${String(depth - 1)} other bands`,
      expected: `at most ${String(MOST_BANDS_DEEP)} levels of bands`,
      fix: 'write all bands in one list',
      source: 'headwater',
    });
    return;
  }
  bands.forEach((band, index) => {
    const here = at(pointer, index);
    const isNamed = isObject(band) && (band['name'] === undefined || typeof band['name'] === 'string');
    if (!isNamed)
      report.add(here, {
        rule: 'bands.band',
        severity,
        got: band,
        expected: 'an object whose name is a text',
        fix: 'write {name, ..}',
        source: 'stac',
      });
    if (isObject(band)) checkWithin(report, here, { value: band, depth });
  });
}
