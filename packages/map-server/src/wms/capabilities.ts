import { PICTURE_FORMATS } from '../drawing/canvas.ts';
import { utmCrsOf } from '@headwater/core/geo';
import type { MapLayer } from '@headwater/core/ports';
import { element, type Xml, xmlDocument, xmlText } from '@headwater/core/xml';
import { isDrawable } from '../drawing/drawing.ts';
import type { EmbeddedParts, Protocol } from '../parts.ts';
import { workspaceOf } from '../protocol/find-layer.ts';
import { MAP_LIMITS, plainBox, shortAbstract } from '../protocol/map-parameters.ts';
import { LEGEND_FORMATS, legendSizeOf } from './legend.ts';
import type { WmsVersion } from './map-request.ts';
import { timeExtent } from './time.ts';

const XLINK = 'http://www.w3.org/1999/xlink';
const SCHEMA = 'http://www.opengis.net/wms http://schemas.opengis.net/wms/1.3.0/capabilities_1_3_0.xsd';

interface ServicePlace {
  readonly version: WmsVersion;
  readonly url: string;
  /**
   * Workspace in the path; undefined if the path has none. Layer names contain the workspace only if the path does not.
   */
  readonly workspace: string | undefined;
}

/**
 * GetCapabilities: the drawable layers of all workspaces or one workspace. Versions from 1.3.0 on get 1.3.0, earlier
 * versions 1.1.1.
 */
export const capabilities: Protocol = async (parts, request) => {
  const { version: requested, wmtver } = request.query;
  const version: WmsVersion = (requested ?? wmtver ?? '1.3.0') >= '1.3.0' ? '1.3.0' : '1.1.1';
  const workspace = workspaceOf(request);
  const path = workspace === undefined ? 'wms' : `${encodeURIComponent(workspace)}/wms`;
  const place: ServicePlace = { version, workspace, url: `${parts.url}/${path}?` };
  const state = await parts.layers.version();
  const layers: Xml[] = [];
  for await (const layer of parts.layers.list(workspace)) {
    if (!isDrawable(parts, layer)) continue;
    const style = styleOf(layer, place, await legendSizeOf(parts, layer));
    layers.push(version === '1.3.0' ? layer130(layer, place, style) : layer111(layer, place, style));
  }
  const is130 = version === '1.3.0';
  const root = element(
    is130 ? 'WMS_Capabilities' : 'WMT_MS_Capabilities',
    is130
      ? {
          version,
          xmlns: 'http://www.opengis.net/wms',
          'xmlns:xlink': XLINK,
          'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
          'xsi:schemaLocation': SCHEMA,
        }
      : { version, 'xmlns:xlink': XLINK },
    serviceOf(parts, place),
    element('Capability', {}, requestsOf(place), exceptionsOf(version), rootLayer(parts, version, layers)),
  );
  return {
    status: 200,
    headers: { 'content-type': is130 ? 'text/xml; charset=utf-8' : 'application/vnd.ogc.wms_xml; charset=utf-8' },
    body: xmlDocument(root),
    etag: `${state}-wms-${version}-${workspace === undefined ? 'all' : encodeURIComponent(workspace)}`,
  };
};

const textOf = (name: string, text: string | number): Xml => element(name, {}, xmlText(text));
const link = (url: string): Xml => element('OnlineResource', { 'xlink:type': 'simple', 'xlink:href': url });

function serviceOf({ title, provider, url: home }: EmbeddedParts, { version }: ServicePlace): Xml {
  const limits =
    version === '1.3.0'
      ? [textOf('LayerLimit', 20), textOf('MaxWidth', MAP_LIMITS.side), textOf('MaxHeight', MAP_LIMITS.side)]
      : [];
  const contact =
    provider === null
      ? []
      : [
          element(
            'ContactInformation',
            {},
            element('ContactPersonPrimary', {}, textOf('ContactPerson', ''), textOf('ContactOrganization', provider)),
          ),
        ];
  return element(
    'Service',
    {},
    textOf('Name', version === '1.3.0' ? 'WMS' : 'OGC:WMS'),
    textOf('Title', title),
    textOf('Abstract', `Maps of the layers of ${title}`),
    element('KeywordList', {}, textOf('Keyword', 'WMS')),
    link(home),
    ...contact,
    textOf('Fees', 'none'),
    textOf('AccessConstraints', 'none'),
    ...limits,
  );
}

function requestsOf({ url, version }: ServicePlace): Xml {
  const place = element('DCPType', {}, element('HTTP', {}, element('Get', {}, link(url))));
  const request = (name: string, formats: readonly string[]): Xml =>
    element(name, {}, ...formats.map((format) => textOf('Format', format)), place);
  return element(
    'Request',
    {},
    request('GetCapabilities', [version === '1.3.0' ? 'text/xml' : 'application/vnd.ogc.wms_xml']),
    request('GetMap', PICTURE_FORMATS),
    request('GetFeatureInfo', ['text/plain', 'application/json']),
    // The schema of 1.3.0 has no GetLegendGraphic; clients use `LegendURL`.
    ...(version === '1.3.0' ? [] : [request('GetLegendGraphic', LEGEND_FORMATS)]),
  );
}

const exceptionsOf = (version: WmsVersion): Xml =>
  element(
    'Exception',
    {},
    ...(version === '1.3.0' ? ['XML', 'JSON'] : ['application/vnd.ogc.se_xml', 'application/json']).map((format) =>
      textOf('Format', format),
    ),
  );

const CRS_NAMES = { '1.3.0': ['EPSG:4326', 'CRS:84', 'EPSG:3857'], '1.1.1': ['EPSG:4326', 'EPSG:3857'] } as const;

function rootLayer({ title }: EmbeddedParts, version: WmsVersion, layers: readonly Xml[]): Xml {
  const names = CRS_NAMES[version].map((name) => textOf(version === '1.3.0' ? 'CRS' : 'SRS', name));
  const earth = { box: null };
  const box = version === '1.3.0' ? [degreeBox(earth)] : [latLonBox(earth)];
  return element('Layer', {}, textOf('Title', title), ...names, ...box, ...layers);
}

const nameOf = ({ workspace, name }: MapLayer, place: ServicePlace): string =>
  place.workspace === undefined ? `${workspace}:${name}` : name;

function degreeBox(layer: Pick<MapLayer, 'box'>): Xml {
  const [west, south, east, north] = plainBox(layer);
  return element(
    'EX_GeographicBoundingBox',
    {},
    textOf('westBoundLongitude', west),
    textOf('eastBoundLongitude', east),
    textOf('southBoundLatitude', south),
    textOf('northBoundLatitude', north),
  );
}

function latLonBox(layer: Pick<MapLayer, 'box'>): Xml {
  const [minx, miny, maxx, maxy] = plainBox(layer);
  return element('LatLonBoundingBox', { minx, miny, maxx, maxy });
}

const RADIUS = 6_378_137;
const EDGE = 85.051_128;

function mercatorBox(layer: MapLayer): Readonly<Record<string, number>> {
  const [west, south, east, north] = plainBox(layer);
  const x = (longitude: number): number => (longitude * Math.PI * RADIUS) / 180;
  const y = (latitude: number): number =>
    RADIUS * Math.asinh(Math.tan((Math.min(EDGE, Math.max(-EDGE, latitude)) * Math.PI) / 180));
  return { minx: x(west), miny: y(south), maxx: x(east), maxy: y(north) };
}

function layer130(layer: MapLayer, place: ServicePlace, style: Xml): Xml {
  const [west, south, east, north] = plainBox(layer);
  const lonLat = { minx: west, miny: south, maxx: east, maxy: north };
  const time = timeExtent(layer);
  return element(
    'Layer',
    { queryable: 1, opaque: 0 },
    textOf('Name', nameOf(layer, place)),
    textOf('Title', layer.title),
    textOf('Abstract', shortAbstract(layer)),
    ...[...CRS_NAMES['1.3.0'], ...utmOf(layer)].map((name) => textOf('CRS', name)),
    degreeBox(layer),
    element('BoundingBox', { CRS: 'CRS:84', ...lonLat }),
    element('BoundingBox', { CRS: 'EPSG:4326', minx: south, miny: west, maxx: north, maxy: east }),
    element('BoundingBox', { CRS: 'EPSG:3857', ...mercatorBox(layer) }),
    ...(time === null
      ? []
      : [
          element('Dimension', { name: 'time', units: 'ISO8601', default: layer.interval?.start ?? '' }, xmlText(time)),
        ]),
    ...dataUrl(layer),
    style,
  );
}

function layer111(layer: MapLayer, place: ServicePlace, style: Xml): Xml {
  const [minx, miny, maxx, maxy] = plainBox(layer);
  const time = timeExtent(layer);
  return element(
    'Layer',
    { queryable: 1, opaque: 0 },
    textOf('Name', nameOf(layer, place)),
    textOf('Title', layer.title),
    textOf('Abstract', shortAbstract(layer)),
    ...[...CRS_NAMES['1.1.1'], ...utmOf(layer)].map((name) => textOf('SRS', name)),
    latLonBox(layer),
    element('BoundingBox', { SRS: 'EPSG:4326', minx, miny, maxx, maxy }),
    element('BoundingBox', { SRS: 'EPSG:3857', ...mercatorBox(layer) }),
    ...(time === null
      ? []
      : [
          element('Dimension', { name: 'time', units: 'ISO8601' }),
          element('Extent', { name: 'time', default: layer.interval?.start ?? '' }, xmlText(time)),
        ]),
    ...dataUrl(layer),
    style,
  );
}

/** UTM zone of the middle of a layer. Only this zone is listed, because a list of all 120 zones would be too long. */
function utmOf(layer: MapLayer): readonly string[] {
  if (layer.box === null) return [];
  const [west, south, east, north] = plainBox(layer);
  return [utmCrsOf((west + east) / 2, (south + north) / 2)];
}

const dataUrl = ({ itemHref }: MapLayer): readonly Xml[] =>
  itemHref === null ? [] : [element('DataURL', {}, textOf('Format', 'application/geo+json'), link(itemHref))];

function styleOf(layer: MapLayer, place: ServicePlace, [width, height]: Awaited<ReturnType<typeof legendSizeOf>>): Xml {
  const format = 'image/png';
  const query = new URLSearchParams({
    service: 'WMS',
    version: place.version,
    request: 'GetLegendGraphic',
    format,
    layer: nameOf(layer, place),
  });
  const legend = element(
    'LegendURL',
    { width, height },
    textOf('Format', format),
    link(`${place.url}${query.toString()}`),
  );
  return element('Style', {}, textOf('Name', layer.name), textOf('Title', layer.title), legend);
}
