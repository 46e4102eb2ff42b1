import type { Finding } from '../errors.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import { at, Report } from './report.ts';

interface StyleEntry {
  readonly value: number;
  readonly color: string | undefined;
}

/** Element that draws a value, in QML of a paletted raster or an SLD colour map. */
const ENTRY = /<(?:[\w-]+:)?(?:paletteEntry|ColorMapEntry)\b((?:[^<>"']|"[^"]*"|'[^']*')*)>/g;
/** Attribute. The lookbehind makes the search linear in long texts without `=`. */
const ATTRIBUTE = /(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function styleEntries(xml: string): readonly StyleEntry[] {
  return [...withoutComments(xml).matchAll(ENTRY)].flatMap(([, attributes = '']) => {
    const named = new Map(
      [...attributes.matchAll(ATTRIBUTE)].map(([, name, double, single]) => [name, double ?? single]),
    );
    // An empty text is not a value, but `Number('')` would be 0.
    const written = (named.get('value') ?? named.get('quantity') ?? '').trim();
    const value = written === '' ? Number.NaN : Number(written);
    const isDrawn = Number(named.get('alpha') ?? named.get('opacity') ?? 1) > 0;
    const color = /^#?([0-9A-Fa-f]{6})$/.exec(named.get('color') ?? '')?.[1]?.toUpperCase();
    return Number.isFinite(value) && isDrawn ? [{ value, color }] : [];
  });
}

function withoutComments(xml: string): string {
  const [first = '', ...others] = xml.split('<!--');
  return (
    first + others.map((part) => part.slice(part.indexOf('-->') < 0 ? part.length : part.indexOf('-->') + 3)).join('')
  );
}

/** Raster data that an Item is compared with. */
export interface RasterEvidence {
  /** Numbers of pixels by value. */
  readonly pixels?: ReadonlyMap<number, number>;
  /** Style of the raster: QML with a palette, or SLD with a colour map. */
  readonly style?: string;
}

interface Class {
  readonly pointer: string;
  readonly value: number;
  readonly fields: JsonObject;
}

const STYLE = '/assets/style';

/** Compares an Item's classes with pixel values and style. Reports missing classes, wrong counts and wrong colours. */
export function checkClasses(item: object, { pixels, style }: RasterEvidence): Finding[] {
  const report = new Report({});
  const { classes, nodata, pointer } = classesIn(item);
  if (classes.length === 0) return [];
  if (pixels !== undefined) {
    checkExplained(report, { classes, nodata, pointer, pixels });
    for (const each of classes) checkCount(report, each, pixels);
  }
  if (style !== undefined) checkStyle(report, { classes, nodata, entries: styleEntries(style) });
  return report.findings;
}

interface Classes {
  readonly classes: readonly Class[];
  readonly nodata: unknown;
  readonly pointer: string;
}

/** Classes of the asset `data`, or otherwise of its first band. */
function classesIn(item: object): Classes {
  const assets: unknown = 'assets' in item ? item.assets : undefined;
  const data: unknown = isObject(assets) ? assets['data'] : undefined;
  const asset = isObject(data) ? data : {};
  const first: unknown = isList(asset['bands']) ? asset['bands'][0] : undefined;
  const inBand = asset['classification:classes'] === undefined && isObject(first);
  const holder = inBand ? { nodata: asset['nodata'], ...first } : asset;
  const pointer = `/assets/data${inBand ? '/bands/0' : ''}/classification:classes`;
  const list = isList(holder['classification:classes']) ? holder['classification:classes'] : [];
  const classes = list.flatMap((fields, index): Class[] =>
    isObject(fields) && typeof fields['value'] === 'number'
      ? [{ pointer: at(pointer, index), value: fields['value'], fields }]
      : [],
  );
  return { classes, nodata: holder['nodata'], pointer };
}

function checkExplained(
  report: Report,
  { classes, nodata, pointer, pixels }: Classes & { readonly pixels: ReadonlyMap<number, number> },
): void {
  // In an Item, the no-data value NaN is the text `nan`, so it is converted here.
  const explained = new Set<unknown>([nodata === 'nan' ? Number.NaN : nodata, ...classes.map(({ value }) => value)]);
  for (const [value, count] of pixels) {
    if (count === 0 || explained.has(value)) continue;
    report.add(pointer, {
      rule: 'classes.missing',
      got: `value ${String(value)} in ${String(count)} pixels`,
      expected: 'a class for each value of the raster',
      fix: 'add the class, or correct the raster',
      source: 'spec',
    });
  }
}

/** Compares a class's count with the raster; skips a no-data class, whose pixels may also be outside of the layer. */
function checkCount(report: Report, { pointer, value, fields }: Class, pixels: ReadonlyMap<number, number>): void {
  const count = pixels.get(value) ?? 0;
  if (fields['nodata'] === true || fields['count'] === undefined || fields['count'] === count) return;
  report.add(at(pointer, 'count'), {
    rule: 'classes.count',
    got: fields['count'],
    expected: `${String(count)}, the pixels of value ${String(value)}`,
    fix: 'write the number of pixels of the published raster',
    source: 'headwater',
  });
}

function checkStyle(
  report: Report,
  { classes, nodata, entries }: Omit<Classes, 'pointer'> & { readonly entries: readonly StyleEntry[] },
): void {
  if (entries.length === 0) {
    report.add(STYLE, {
      rule: 'classes.style-unchecked',
      severity: 'info',
      got: 'a style without paletteEntry (QML) or ColorMapEntry (SLD)',
      expected: 'a style with an entry for each value',
      fix: 'add an entry for each value; classes and style were not compared',
      source: 'headwater',
    });
    return;
  }
  const drawn = new Map(entries.map((entry) => [entry.value, entry]));
  for (const each of classes) checkDrawn(report, each, drawn.get(each.value));
  const known = new Set<unknown>([nodata, ...classes.map(({ value }) => value)]);
  for (const { value } of entries.filter((entry) => !known.has(entry.value))) {
    report.add(STYLE, {
      rule: 'classes.style-extra',
      severity: 'warning',
      got: `value ${String(value)} is drawn`,
      expected: 'only values that have a class',
      fix: 'add the class, or remove the value from the style',
      source: 'headwater',
    });
  }
}

function checkDrawn(report: Report, { pointer, value, fields }: Class, entry: StyleEntry | undefined): void {
  const { nodata, color_hint: hint } = fields;
  if (entry === undefined && nodata !== true) {
    report.add(pointer, {
      rule: 'classes.style-missing',
      got: `value ${String(value)} is not drawn`,
      expected: 'an entry of the style for each class',
      fix: 'draw the class in the style',
      source: 'headwater',
    });
  }
  if (typeof hint !== 'string' || entry?.color === undefined || entry.color === hint.toUpperCase()) return;
  report.add(at(pointer, 'color_hint'), {
    rule: 'classes.style-color',
    severity: 'warning',
    got: hint,
    expected: `${entry.color}, the colour of the style`,
    fix: 'write the colour of the style',
    source: 'headwater',
  });
}
