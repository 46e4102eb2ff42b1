import type { MapGrid, MapLayer, MapRequest } from '@headwater/core/ports';
import type { EmbeddedParts } from '../parts.ts';
import { findLayer } from '../protocol/find-layer.ts';
import { boxOf, crsOf, demanded, gridOf, numbersOf, refuseParameters, sizeOf } from '../protocol/map-parameters.ts';
import { ogcError } from '../protocol/ogc-error.ts';
import { checkTime } from './time.ts';

type Query = MapRequest['query'];

/** Offered versions, newest first. */
export const WMS_VERSIONS = ['1.3.0', '1.1.1'] as const;
export type WmsVersion = (typeof WMS_VERSIONS)[number];

/**
 * Maximum coordinates. They exceed the bounds of the Earth, because clients draw the Earth several times next to
 * each other.
 */
const MOST_COORDINATE = { 'EPSG:4326': 3600, 'EPSG:3857': 400_750_166 } as const;
const MOST_UTM = 20_000_000;

const MOST_LAYERS = 20;

/** Parameters that would change the map but are not offered. */
const NOT_OFFERED = [
  'sld',
  'sld_body',
  'style_body',
  'filter',
  'cql_filter',
  'featureid',
  'sortby',
  'elevation',
  'env',
  'viewparams',
  'angle',
  'palette',
  'clip',
  'remote_ows_type',
  'remote_ows_url',
];

/** Version of a request. Old clients send `wmtver`. */
export function versionOf({ version, wmtver }: Query): WmsVersion {
  const text = version ?? wmtver ?? '1.3.0';
  const found =
    WMS_VERSIONS.find((each) => each === text) ?? (text === '1.1.0' || text === '1.0.0' ? '1.1.1' : undefined);
  if (found !== undefined) return found;
  throw ogcError(
    'InvalidParameterValue',
    'version',
    `version: ${JSON.stringify(text.slice(0, 20))} is not offered; send 1.3.0 or 1.1.1`,
  );
}

/** Grid of a map. In 1.3.0, boxes in EPSG:4326 begin with the latitude. */
export function gridOfMap(query: Query): MapGrid {
  const version = versionOf(query);
  const name = version === '1.3.0' ? 'crs' : 'srs';
  // Some clients send the parameter name of another version, so both names are read.
  const text = query[name] ?? query['crs'] ?? query['srs'] ?? demanded(query, name);
  const crs = crsOf(text, name, version === '1.3.0' ? 'InvalidCRS' : 'InvalidSRS');
  const isLatitudeFirst = version === '1.3.0' && text.toUpperCase() === 'EPSG:4326';
  const box = boxOf(numbersOf(demanded(query, 'bbox'), 'bbox', 4), { name: 'bbox', isLatitudeFirst });
  const most = crs === 'EPSG:4326' || crs === 'EPSG:3857' ? MOST_COORDINATE[crs] : MOST_UTM;
  if (box.some((each) => Math.abs(each) > most))
    throw ogcError('InvalidParameterValue', 'bbox', `bbox: a coordinate is beyond ${most}; send a box on the Earth`);
  return gridOf(crs, box, sizeOf(query));
}

/** Finds the layers of a parameter. Checks their number, the time, format options and parameters of `NOT_OFFERED`. */
export async function layersOf(
  parts: EmbeddedParts,
  request: MapRequest,
  parameter: 'layers' | 'query_layers',
): Promise<readonly MapLayer[]> {
  const { query } = request;
  refuseParameters(query, NOT_OFFERED);
  checkFormatOptions(query);
  const names = demanded(query, parameter).split(',');
  if (names.length > MOST_LAYERS)
    throw ogcError(
      'OperationNotSupported',
      parameter,
      `${parameter}: ${names.length} layers in one request; send at most ${MOST_LAYERS}`,
    );
  const layers: MapLayer[] = [];
  for (const name of names) layers.push(await findLayer(parts, request, { parameter, name, code: 'LayerNotDefined' }));
  for (const layer of layers) checkTime(layer, query['time']);
  return layers;
}

/** Throws unless each style is empty or the default of its layer. */
export function checkStyles(layers: readonly MapLayer[], styles: string | undefined): void {
  if (styles === undefined || styles === '') return;
  const names = styles.split(',');
  if (names.length !== layers.length)
    throw ogcError(
      'InvalidParameterValue',
      'styles',
      `styles: ${names.length} styles for ${layers.length} layers; send one for each, or none`,
    );
  for (const [index, layer] of layers.entries()) {
    const style = names[index] ?? '';
    if (style !== '' && !styleNames(layer).includes(style))
      throw ogcError(
        'StyleNotDefined',
        'styles',
        `styles: ${layer.name} has no style ${JSON.stringify(style.slice(0, 60))}; leave the style of this layer empty`,
      );
  }
}

const styleNames = ({ workspace, name }: MapLayer): readonly string[] => [name, 'default', `${workspace}:${name}`];

/**
 * Throws for options other than `dpi`. QGIS sends the resolution of its screen as `dpi`, which does not change the map.
 */
function checkFormatOptions(query: Query): void {
  const options = query['format_options'];
  if (options !== undefined && !/^(?:dpi:\d+;?)?$/i.test(options))
    throw ogcError(
      'OperationNotSupported',
      'format_options',
      'format_options: only dpi is accepted; leave out all other options',
    );
}
