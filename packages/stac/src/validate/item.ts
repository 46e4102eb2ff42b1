import { mayHold, MEDIA } from '../media-types.ts';
import { isTableExtension } from '../extensions.ts';
import type { Finding } from '../errors.ts';
import { compareInstants, isUtcText } from '../instant.ts';
import { isList, isObject, isText, type JsonObject } from '../json.ts';
import { checkAssets, type LayerKind } from './assets.ts';
import { checkItemBbox, checkNoBbox } from './bbox.ts';
import { checkBareDeliverable, checkWrappedDeliverable } from './deliverable.ts';
import { checkDocument, checkId } from './document.ts';
import { checkGeometry } from './geometry.ts';
import { checkItemExtensions } from './item-extensions.ts';
import { ANY_LINKS, checkLinks, checkSameParent } from './links.ts';
import { checkMetadata } from './metadata.ts';
import { checkOpenItemAssets } from './open-assets.ts';
import type { Profile } from './profile.ts';
import { at, Report } from './report.ts';

function checkRasterValues(report: Report, assets: unknown, isRaster: boolean): void {
  if (!isObject(assets)) return;
  for (const [key, asset] of Object.entries(assets)) {
    if (!isObject(asset)) continue;
    const pointer = at('/assets', key);
    checkNodata(report, pointer, asset);
    bandsOf(asset).forEach((band, index) =>
      checkNodata(report, at(at(pointer, 'bands'), index), { data_type: asset['data_type'], ...band }),
    );
  }
  const data = assets['data'];
  if (!isRaster || !isObject(data) || isExplained(data)) return;
  report.add('/assets/data', {
    rule: 'raster.values',
    severity: 'warning',
    got: 'neither classes nor bands with a data_type',
    expected: 'classification:classes, or bands with data_type, nodata, unit and statistics',
    fix: 'add classes, or bands with a data_type',
    source: 'stac',
  });
}

const bandsOf = ({ bands }: JsonObject): readonly JsonObject[] => (isList(bands) ? bands.filter(isObject) : []);

function isExplained(data: JsonObject): boolean {
  const hasClasses = [data, ...bandsOf(data)].some((holder) => holder['classification:classes'] !== undefined);
  if (hasClasses || data['data_type'] !== undefined) return true;
  return bandsOf(data).length > 0 && bandsOf(data).every((band) => band['data_type'] !== undefined);
}

function checkNodata(report: Report, pointer: string, { data_type: type, nodata }: JsonObject): void {
  if (typeof type !== 'string' || typeof nodata !== 'number' || mayHold(type, nodata)) return;
  report.add(at(pointer, 'nodata'), {
    rule: 'nodata.data-type',
    got: nodata,
    expected: `a value of ${type}`,
    fix: 'write the no-data value of the pixels, or leave it out',
    source: 'stac',
  });
}

const TOP_LEVEL = new Set([
  'type',
  'stac_version',
  'stac_extensions',
  'id',
  'geometry',
  'bbox',
  'properties',
  'links',
  'assets',
  'collection',
]);

/** Returns all findings of an Item by the rules of a profile. Makes no requests; does not throw. */
export function validateItem(value: unknown, profile: Profile): Finding[] {
  if (!isObject(value)) return notAnItem(value);
  const report = new Report(value, profile);
  checkWrappedDeliverable(report, value);
  checkDocument(report, value, 'Feature');
  checkIdShape(report, value['id']);
  if (report.isHeadwater) checkHeadwaterItem(report, value);
  else checkAnyItem(report, value);
  checkTopLevel(report, value);
  return report.findings;
}

const OWN_LINKS = { once: ['root', 'collection', 'parent'], unlabelled: 'error' } as const;

function checkHeadwaterItem(report: Report, value: JsonObject): void {
  if (value['stac_extensions'] === undefined) {
    report.add('/stac_extensions', {
      rule: 'extensions.list',
      got: undefined,
      expected: 'a list of schema URLs',
      fix: 'add stac_extensions, or [] if there are no extensions',
      source: 'spec',
    });
  }
  const geometry = checkGeometry(report, '/geometry', value['geometry']);
  checkItemBbox(report, value['bbox'], geometry);
  checkSameParent(report, checkLinks(report, value['links'], OWN_LINKS));
  const kind = checkAssets(report, value['assets']);
  checkRasterValues(report, value['assets'], kind === 'raster');
  checkProperties(report, value, kind);
  checkId(report, '/collection', value['collection']);
}

function checkAnyItem(report: Report, value: JsonObject): void {
  if (value['geometry'] === null) checkNoBbox(report, value['bbox']);
  else checkItemBbox(report, value['bbox'], checkGeometry(report, '/geometry', value['geometry']));
  checkLinks(report, value['links'], ANY_LINKS);
  checkOpenItemAssets(report, value['assets']);
  checkRasterValues(report, value['assets'], false);
  checkProperties(report, value, 'unknown');
  checkCollectionOf(report, value);
}

/** Checks that an Item has both the member `collection` and the link to the Collection, or neither. */
function checkCollectionOf(report: Report, { collection, links }: JsonObject): void {
  const isLinked = isList(links) && links.some((link) => isObject(link) && link['rel'] === 'collection');
  if (isLinked) checkId(report, '/collection', collection);
  else if (collection !== undefined) {
    report.add('/collection', {
      rule: 'collection.link',
      got: collection,
      expected: 'a link with rel collection',
      fix: 'add the link, or leave collection out',
      source: 'stac',
    });
  }
}

function notAnItem(value: unknown): Finding[] {
  const report = new Report({});
  if (checkBareDeliverable(report, value)) return report.findings;
  report.add('', {
    rule: 'item.object',
    got: value,
    expected: 'a STAC Item',
    fix: 'return the Item itself as an object',
    source: 'spec',
  });
  return report.findings;
}

/** Checks the form of an id, `{state}_{district}_{block}_{dataset}`: at least four non-empty parts. */
function checkIdShape(report: Report, id: unknown): void {
  if (typeof id !== 'string' || id.split('_').filter((part) => part !== '').length >= 4) return;
  report.add('/id', {
    rule: 'id.pattern',
    got: id,
    expected: '{state}_{district}_{block}_{dataset}',
    fix: 'build it with itemId()',
    source: 'spec',
  });
}

function checkProperties(report: Report, item: JsonObject, kind: LayerKind): void {
  const properties = item['properties'];
  if (!isObject(properties)) {
    report.add('/properties', {
      rule: 'properties.object',
      got: properties,
      expected: 'an object',
      fix: report.isHeadwater ? 'add title, description, times and keywords' : 'add at least datetime',
      source: 'stac',
    });
    return;
  }
  checkMetadata(report, '/properties', properties);
  for (const key of ['title', 'description'] as const) {
    if (!isText(properties[key]))
      report.add(at('/properties', key), {
        rule: `properties.${key}`,
        got: properties[key],
        expected: 'a text that is not empty',
        fix: `add a ${key}`,
        source: 'spec',
      });
  }
  checkTimes(report, properties);
  const { keywords } = properties;
  if (!isList(keywords)) {
    report.add('/properties/keywords', {
      rule: 'properties.keywords',
      got: keywords,
      expected: 'a list of texts',
      fix: 'add keywords',
      source: 'spec',
    });
  }
  checkTable(report, { item, properties, kind });
  checkItemExtensions(report, item, properties);
}

const DATETIME = ['datetime'] as const;

function checkTimes(report: Report, properties: JsonObject): void {
  const isSpan = !report.isHeadwater && properties['datetime'] === null;
  const needed = report.isHeadwater || isSpan ? (['start_datetime', 'end_datetime', 'datetime'] as const) : DATETIME;
  for (const key of needed) {
    if ((isSpan && key === 'datetime') || (properties[key] !== undefined && properties[key] !== null)) continue;
    report.add(at('/properties', key), {
      rule: `properties.${key}`,
      got: properties[key],
      expected: isSpan ? 'RFC 3339 time in UTC, because datetime is null' : 'RFC 3339 time in UTC',
      fix: `add ${key}`,
      source: report.isHeadwater ? 'spec' : 'stac',
    });
  }
  const { start_datetime: start, end_datetime: end } = properties;
  if (isUtcText(start) && isUtcText(end) && compareInstants(start, end) > 0) {
    report.add('/properties/end_datetime', {
      rule: 'datetime.order',
      got: end,
      expected: `not before ${start}`,
      fix: 'exchange start and end',
      source: 'stac',
    });
  }
}

interface TableCheck {
  readonly item: JsonObject;
  readonly properties: JsonObject;
  readonly kind: LayerKind;
}

/** Checks the table extension, which vectors require. A raster may use it only with an asset `table`. */
function checkTable(report: Report, { item, properties, kind }: TableCheck): void {
  const isDeclared = isList(item['stac_extensions']) && item['stac_extensions'].some(isTableExtension);
  const hasColumns = properties['table:columns'] !== undefined;
  if (kind === 'vector' && !isDeclared) {
    report.add('/stac_extensions', {
      rule: 'table.declared',
      got: item['stac_extensions'],
      expected: 'the table extension',
      fix: 'add its schema URL',
      source: 'spec',
    });
  }
  if (!hasColumns && (kind === 'vector' || isDeclared)) {
    report.add('/properties/table:columns', {
      rule: 'table.columns-missing',
      got: undefined,
      expected: 'one {name, type, description} per column',
      fix: 'list every output field',
      source: 'spec',
    });
  }
  if (kind === 'raster' && (hasColumns || isDeclared)) {
    const isTabular = hasColumns && isDeclared;
    if (isTabular && hasTableAsset(item['assets'])) return;
    const severity = isTabular ? 'warning' : 'error';
    report.add('/properties/table:columns', {
      rule: 'table.raster',
      severity,
      got: properties['table:columns'],
      expected: 'neither table:columns nor the table extension, or both and an asset table',
      fix: 'remove columns and extension, or use both and add the rows as the asset table',
      source: 'spec',
    });
  }
}

function hasTableAsset(assets: unknown): boolean {
  const table = isObject(assets) ? assets['table'] : undefined;
  return isObject(table) && TABLES.has(table['type']);
}

const TABLES: ReadonlySet<unknown> = new Set([MEDIA.csv, MEDIA.parquet, MEDIA.json]);

function checkTopLevel(report: Report, item: JsonObject): void {
  for (const key of Object.keys(item)) {
    if (TOP_LEVEL.has(key) || item[key] === undefined) continue;
    report.add(at('', key), {
      rule: 'item.unknown-key',
      severity: 'warning',
      got: key,
      expected: [...TOP_LEVEL].join(', '),
      fix: 'move it into properties',
      source: 'stac',
    });
  }
}
