import { hash } from 'node:crypto';
import { DomainError } from '@headwater/core/errors';
import type { MapColumn, MapLayer, MapLayers, MapReply, MapRequest } from '@headwater/core/ports';
import { encodeFeatures, fromPrefixedName, fromXmlName } from '../encodings/index.ts';
import { parseEcql } from '../features/ecql.ts';
import { columnNamed, type FeatureFilter, GEOMETRY, matching } from '../features/feature-filter.ts';
import type { FeatureTable, MapFeature } from '../features/feature-table.ts';
import { idCondition, parseFes } from '../features/fes.ts';
import type { EmbeddedParts } from '../parts.ts';
import { lonLatBox, readCrs } from '../protocol/crs.ts';
import { findLayer } from '../protocol/find-layer.ts';
import { ogcError } from '../protocol/ogc-error.ts';
import { countOf, crsOfVersion, formatOf, outputCrs, refuseUnknown, type WfsVersion } from './wfs-request.ts';

const KNOWN = [
  'service',
  'version',
  'request',
  'typename',
  'typenames',
  'outputformat',
  'exceptions',
  'srsname',
  'run',
  'bbox',
  'cql_filter',
  'filter',
  'filter_language',
  'featureid',
  'resourceid',
  'propertyname',
  'maxfeatures',
  'count',
  'startindex',
  'sortby',
  'resulttype',
  // Parameters that declare prefixes. They have no effect, because layer names contain their workspace.
  'namespace',
  'namespaces',
];

/**
 * Part of ETags. Change this value when the bytes of responses change. Otherwise clients would use their cached
 * responses.
 */
const FORM = '1';

/** GetFeature of one layer. */
export async function getFeature(parts: EmbeddedParts, request: MapRequest, version: WfsVersion): Promise<MapReply> {
  const { query } = request;
  refuseUnknown(query, KNOWN);
  const format = formatOf(query, version);
  const layer = await vectorLayer(parts, request, nameOf(query));
  const crs = outputCrs(query, version, layer);
  const table = await parts.tables.of(layer);
  const context = { parts, request, version, layer, table };
  const selection = selectionOf(context);
  const found = sorted(await matching(table, { ...selection, turn: parts.turns(request.signal) }), query, table);
  const page = pageOf(found, query, version);
  const isHits = isHitsOf(query);
  const file = await parts.openFile(layer.assetKey);
  const { contentType, body, fileName } = encodeFeatures(format, {
    layer,
    table,
    ...chosen(context, isHits ? [] : page),
    version,
    ...crs,
    numberMatched: found.length,
    // The time of the stored file is sent instead of the present time, so that equal requests get equal bytes.
    timeStamp: file?.modified ?? new Date(0),
    url: parts.url,
    isHits,
  });
  const download = fileName === undefined ? {} : { 'content-disposition': `attachment; filename="${fileName}"` };
  const sent = Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const etag = hash('sha256', JSON.stringify([FORM, layer.version, parts.url, request.segments, sent])).slice(0, 32);
  return { status: 200, headers: { 'content-type': contentType, ...download }, body, etag, isLasting: layer.isLasting };
}

/** Finds a vector layer by its name, which may be encoded as in GML. Throws 404 if there is none. */
export async function vectorLayer(
  parts: { readonly layers: Pick<MapLayers, 'find'> },
  request: MapRequest,
  { parameter, name }: { readonly parameter: string; readonly name: string },
): Promise<MapLayer> {
  const [plain = name, other] = fromPrefixedName(name);
  const known = { parameter, name: plain, code: 'InvalidParameterValue', kind: 'vector' } as const;
  if (other === undefined) return await findLayer(parts, request, known);
  try {
    return await findLayer(parts, request, known);
  } catch (error) {
    if (!isAbsent(error)) throw error;
    return await findLayer(parts, request, { ...known, name: other }).catch((second: unknown) => {
      // The first error is thrown, because it contains the name that the client sent.
      throw isAbsent(second) ? error : second;
    });
  }
}

const isAbsent = (error: unknown): boolean => error instanceof DomainError && error.code === 'not_found';

type Query = MapRequest['query'];

interface Context {
  readonly request: MapRequest;
  readonly version: WfsVersion;
  readonly layer: MapLayer;
  readonly table: FeatureTable;
}

/** Name of the layer, and the parameter that contains it. Throws if there are several names. */
function nameOf(query: Query): { readonly parameter: string; readonly name: string } {
  const parameter = query['typenames'] === undefined || query['typenames'] === '' ? 'typename' : 'typenames';
  const text = query[parameter] ?? '';
  // In WFS 2.0, the names of a query may be in parentheses.
  const names = text.replace(/^\((.*)\)$/, '$1').split(',');
  if (names.length > 1)
    throw ogcError(
      'InvalidParameterValue',
      parameter,
      `${parameter}: ${names.length} layers are named; send one layer in each request`,
    );
  return { parameter, name: names[0] ?? '' };
}

/** Parameters that select features. A request may have only one of them. */
const SELECTING = ['bbox', 'cql_filter', 'filter', 'featureid', 'resourceid'] as const;

interface Selection {
  readonly filter: FeatureFilter | undefined;
  readonly parameter: string;
}

function selectionOf({ request: { query }, version, layer, table }: Context): Selection {
  const sent = SELECTING.filter((name) => (query[name] ?? '').trim() !== '');
  const [parameter = 'filter', other] = sent;
  if (other !== undefined)
    throw ogcError(
      'InvalidParameterValue',
      other,
      `${other}: it cannot be sent together with ${parameter}; send one filter, for example CQL_FILTER with BBOX()`,
    );
  const text = sent.length === 0 ? '' : (query[parameter] ?? '');
  const context = { columns: table.columns, geometryName: layer.geometryName, crs: crsOfVersion(version), parameter };
  if (text === '') return { filter: undefined, parameter };
  if (parameter === 'cql_filter') return { filter: parseEcql(text, context), parameter };
  if (parameter === 'filter') return { filter: parseFes(text, { ...context, fromXmlName }), parameter };
  if (parameter === 'bbox') {
    const bbox = boxOf(text, version);
    return { filter: { tree: { op: 's_intersects', args: [GEOMETRY, { bbox }] }, tests: [] }, parameter };
  }
  const ids = text.split(',').flatMap((id) => [id, fromXmlName(id)]);
  return { filter: { tree: idCondition([...new Set(ids)]), tests: [] }, parameter };
}

/** Box of a parameter with four numbers, and optionally the name of their coordinate system. */
function boxOf(text: string, version: WfsVersion): readonly [number, number, number, number] {
  const [a, b, c, d, ...name] = text.split(',').map((part) => part.trim());
  const numbers = [a, b, c, d].map((part) => (part === undefined || !NUMBER.test(part) ? NaN : Number(part)));
  const [w = NaN, s = NaN, e = NaN, n = NaN] = numbers;
  if (!numbers.every(Number.isFinite))
    throw ogcError(
      'InvalidParameterValue',
      'bbox',
      `bbox: ${JSON.stringify(text.slice(0, 80))} is not four numbers; send them separated by commas`,
    );
  const crs = name.length === 0 ? crsOfVersion(version) : readCrs(name.join(','), 'bbox');
  return lonLatBox([w, s, e, n], crs, 'bbox');
}

const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

function isHitsOf({ resulttype = 'results' }: Query): boolean {
  if (/^results$/i.test(resulttype) || resulttype === '') return false;
  if (/^hits$/i.test(resulttype)) return true;
  throw ogcError(
    'InvalidParameterValue',
    'resulttype',
    `resultType: ${JSON.stringify(resulttype.slice(0, 40))} is unknown; send results or hits`,
  );
}

/**
 * At most `maxFeatures` features from `startIndex` on. In 2.0.0, `maxFeatures` is named `count`; all versions accept
 * both names.
 */
function pageOf(features: readonly MapFeature[], query: Query, version: WfsVersion): readonly MapFeature[] {
  const other = version === '2.0.0' ? 'maxfeatures' : 'count';
  const name = version === '2.0.0' ? 'count' : 'maxfeatures';
  const most = countOf(query, name) ?? countOf(query, other);
  const start = countOf(query, 'startindex') ?? 0;
  return start === 0 && most === undefined
    ? features
    : features.slice(start, most === undefined ? undefined : start + most);
}

const LONGEST_ORDER = ' DESC'.length;

/** `sortBy`: column names, optionally with `A`, `ASC`, `D` or `DESC`. Missing values are last in ascending order. */
function sorted(
  features: readonly MapFeature[],
  { sortby = '' }: Query,
  { columns }: FeatureTable,
): readonly MapFeature[] {
  if (sortby === '') return features;
  const keys = sortby.split(',').map((part) => {
    const text = part.trim();
    const [order = ''] = /\s(?:A|ASC|D|DESC)$/i.exec(text.slice(-LONGEST_ORDER)) ?? [];
    const name = text.slice(0, text.length - order.length).trim();
    return { name: named(columns, name, 'sortby').name, sign: /^\sD/i.test(order) ? -1 : 1 };
  });
  return features.toSorted((a, b) => {
    for (const { name, sign } of keys) {
      const difference = compareValues(a.properties[name], b.properties[name]);
      if (difference !== 0) return difference * sign;
    }
    return 0;
  });
}

function compareValues(a: unknown, b: unknown): number {
  const [isMissing, isOtherMissing] = [a, b].map((value) => value === null || value === undefined);
  if (isMissing === true || isOtherMissing === true) return Number(isMissing) - Number(isOtherMissing);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : Number(left > right);
}

/**
 * Applies `propertyName`. Without `propertyName`, or with `*`, everything is kept. Otherwise geometries are kept only
 * if `propertyName` contains the geometry.
 */
function chosen(
  { request: { query }, layer, table }: Context,
  features: readonly MapFeature[],
): { readonly columns: readonly MapColumn[]; readonly features: readonly MapFeature[] } {
  const { propertyname: text = '' } = query;
  const names = text
    .replace(/^\((.*)\)$/, '$1')
    .split(',')
    .map((name) => name.trim());
  if (text === '' || names.includes('*')) return { columns: table.columns, features };
  const isGeometry = (name: string): boolean =>
    [name, local(name)].some((each) => each === layer.geometryName || fromXmlName(each) === layer.geometryName);
  const columns = names.filter((name) => !isGeometry(name)).map((name) => named(table.columns, name, 'propertyname'));
  const wanted = new Set(columns);
  const ordered = table.columns.filter((column) => wanted.has(column));
  if (names.some(isGeometry)) return { columns: ordered, features };
  return { columns: ordered, features: features.map((feature) => ({ ...feature, geometry: null, box: null })) };
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Finds a column. Its name may be exact, prefixed, or encoded as in GML. */
function named(columns: readonly MapColumn[], name: string, parameter: string): MapColumn {
  const names = [name, fromXmlName(name), local(name), fromXmlName(local(name))];
  const found = names.map((each) => columns.find((column) => column.name === each)).find((each) => each !== undefined);
  return found ?? columnNamed(columns, name, parameter);
}
