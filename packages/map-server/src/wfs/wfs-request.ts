import { utmCrsOf, utmZone } from '@headwater/core/geo';
import type { MapLayer, MapRequest } from '@headwater/core/ports';
import type { FeatureFormat, FeatureSrs } from '../encodings/index.ts';
import { type AxisOrder, type NamedCrs, readCrs, readUtm } from '../protocol/crs.ts';
import { ogcError } from '../protocol/ogc-error.ts';

/** Versions of WFS, newest first. */
export const WFS_VERSIONS = ['2.0.0', '1.1.0', '1.0.0'] as const;
export type WfsVersion = (typeof WFS_VERSIONS)[number];

type Query = MapRequest['query'];

/**
 * Version of a request; default: the newest. For GetCapabilities (`isNegotiable`), reads `acceptVersions`, and replaces
 * a version that is not offered by the next older one. For other requests, throws if the version is not offered.
 */
export function versionOf(query: Query, isNegotiable: boolean): WfsVersion {
  const accepted = query['acceptversions'];
  if (isNegotiable && accepted !== undefined && accepted !== '') {
    const found = accepted
      .split(',')
      .map((text) => offered(text.trim()))
      .find((each) => each !== undefined);
    if (found !== undefined) return found;
    throw ogcError(
      'VersionNegotiationFailed',
      'acceptversions',
      `acceptVersions: ${JSON.stringify(accepted.slice(0, 60))} has no offered version; send ${WFS_VERSIONS.join(', ')}`,
    );
  }
  const { version = '' } = query;
  if (version === '') return WFS_VERSIONS[0];
  const exact = offered(version);
  if (exact !== undefined) return exact;
  if (isNegotiable && /^\d+(?:\.\d+){0,2}$/.test(version))
    return WFS_VERSIONS.find((each) => compare(each, version) <= 0) ?? '1.0.0';
  throw ogcError(
    'InvalidParameterValue',
    'version',
    `version: ${JSON.stringify(version.slice(0, 20))} is not offered; send ${WFS_VERSIONS.join(', ')}`,
  );
}

/** Finds an offered version. 2.0.2 counts as 2.0.0, because version 2.0.2 only corrects the text of 2.0.0. */
function offered(text: string): WfsVersion | undefined {
  return WFS_VERSIONS.find((each) => each === text || (text === '2.0.2' && each === '2.0.0'));
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split('.').map(Number));
  for (let at = 0; at < 3; at++) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Default coordinate system of a version: EPSG:4326. Its positions begin with the longitude only in 1.0.0. */
export const crsOfVersion = (version: WfsVersion): NamedCrs => ({
  srs: 'EPSG:4326',
  axis: version === '1.0.0' ? 'xy' : 'yx',
});

/**
 * Formats by name. The names are in lower case and have no spaces. `gmlxml` is `gml+xml` whose unescaped plus sign
 * arrived as a space.
 */
const FORMATS: Readonly<Record<string, FeatureFormat>> = {
  'application/json': 'geojson',
  json: 'geojson',
  'application/geo+json': 'geojson',
  'application/geojson': 'geojson',
  gml2: 'gml2',
  'text/xml;subtype=gml/2.1.2': 'gml2',
  'text/xml;subtype=gml/2.1': 'gml2',
  gml3: 'gml31',
  gml31: 'gml31',
  'text/xml;subtype=gml/3.1.1': 'gml31',
  'text/xml;subtype=gml/3.1': 'gml31',
  gml32: 'gml32',
  'text/xml;subtype=gml/3.2': 'gml32',
  'text/xml;subtype=gml/3.2.1': 'gml32',
  'application/gml+xml;version=3.2': 'gml32',
  'application/gmlxml;version=3.2': 'gml32',
  csv: 'csv',
  'text/csv': 'csv',
  'shape-zip': 'shapefile',
  'application/zip': 'shapefile',
};

/** Names of formats in messages, and in capabilities of 1.1.0 and 2.0.0. The first is the default. */
export const FORMAT_NAMES: Readonly<Record<WfsVersion, readonly string[]>> = {
  '1.0.0': ['GML2', 'GML3', 'application/json', 'csv', 'SHAPE-ZIP'],
  '1.1.0': ['text/xml; subtype=gml/3.1.1', 'text/xml; subtype=gml/2.1.2', 'application/json', 'csv', 'SHAPE-ZIP'],
  '2.0.0': [
    'application/gml+xml; version=3.2',
    'text/xml; subtype=gml/3.1.1',
    'text/xml; subtype=gml/2.1.2',
    'application/json',
    'csv',
    'SHAPE-ZIP',
  ],
};

const DEFAULTS = { '1.0.0': 'gml2', '1.1.0': 'gml31', '2.0.0': 'gml32' } as const;

/** Format of the response. */
export function formatOf(query: Query, version: WfsVersion): FeatureFormat {
  const { outputformat: name = '' } = query;
  if (name === '') return DEFAULTS[version];
  const key = name.toLowerCase().replace(/\s+/g, '');
  const format = Object.hasOwn(FORMATS, key) ? FORMATS[key] : undefined;
  if (format !== undefined) return format;
  throw ogcError(
    'InvalidParameterValue',
    'outputformat',
    `outputFormat: ${JSON.stringify(name.slice(0, 60))} is not offered; send ${FORMAT_NAMES[version].join(', ')}`,
  );
}

/** Maximum distance from the middle of a UTM zone, degrees. Farther away, the projection is not exact to a mm. */
const MOST_FROM_ZONE = 15;

/** Coordinate system and axis order of the response. Throws if a requested UTM zone is not near the layer. */
export function outputCrs(
  query: Query,
  version: WfsVersion,
  { box }: Pick<MapLayer, 'box'>,
): { readonly srs: FeatureSrs; readonly axis: AxisOrder } {
  const { srsname: name = '' } = query;
  const srs = readUtm(name);
  if (srs === undefined) return name === '' ? crsOfVersion(version) : readCrs(name, 'srsname');
  const middle = (utmZone(srs)?.zone ?? 0) * 6 - 183;
  const [west, , east] = box ?? [middle, 0, middle, 0];
  if (Math.max(Math.abs(west - middle), Math.abs(east - middle)) > MOST_FROM_ZONE)
    throw ogcError(
      'InvalidParameterValue',
      'srsname',
      `srsName: ${srs} is not near the layer; send ${utmCrsOf((west + east) / 2, box?.[1] ?? 0)}, EPSG:4326 or EPSG:3857`,
    );
  return { srs, axis: 'xy' };
}

/** Whole number of a parameter; undefined if not sent. */
export function countOf(query: Query, name: string): number | undefined {
  const text = query[name];
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw ogcError(
    'InvalidParameterValue',
    name,
    `${name}: ${JSON.stringify(text.slice(0, 40))} is not a whole number; send a number from 0 on`,
  );
}

/** Refuses unknown parameters, because ignoring them could give wrong data. Empty parameters are ignored. */
export function refuseUnknown(query: Query, known: readonly string[]): void {
  const unknown = Object.entries(query).find(([name, value]) => value !== '' && !known.includes(name));
  if (unknown === undefined) return;
  const [name] = unknown;
  const shown = name.slice(0, 60);
  throw ogcError('OptionNotSupported', shown, `${shown}: this parameter is not offered by this request; leave it out`);
}
