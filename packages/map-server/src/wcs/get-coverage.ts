import { DomainError } from '@headwater/core/errors';
import type { MapLayer, MapRaster, MapReply, MapRequest, RasterCut } from '@headwater/core/ports';
import { inTurn, openLayer } from '../drawing/drawing.ts';
import type { EmbeddedParts, Protocol } from '../parts.ts';
import { findLayer } from '../protocol/find-layer.ts';
import { boxOf, demanded, MAP_LIMITS, numbersOf, refuseParameters } from '../protocol/map-parameters.ts';
import { ogcError } from '../protocol/ogc-error.ts';
import { checkTime } from '../wms/time.ts';
import { crsAddress, fieldsOf, versionOf } from './coverage.ts';
import { boxCut, cutOf } from './subsets.ts';

type Query = MapRequest['query'];

const FORMATS: ReadonlySet<string> = new Set([
  'geotiff',
  'tiff',
  'image/tiff',
  'image/geotiff',
  'image/tiff;application=geotiff',
]);
const MEDIA_TYPE = 'image/tiff; application=geotiff';
/** Parameters that would change the coverage but are not offered. */
const NOT_OFFERED = ['mediatype', 'scaleextent', 'filter', 'cql_filter', 'overviewpolicy', 'sortby', 'resz', 'depth'];

/** GetCoverage: sends a coverage, or a part of it, as GeoTIFF in its own coordinate system. */
export const getCoverage: Protocol = async (parts, request) => {
  const { query } = request;
  const version = versionOf(query);
  const [parameter, code] =
    version === '2.0.1' ? (['coverageid', 'NoSuchCoverage'] as const) : (['coverage', 'CoverageNotDefined'] as const);
  const name = query[parameter] ?? '';
  const layer = await findLayer(parts, request, { parameter, name, code, kind: 'raster' });
  refuseParameters(query, NOT_OFFERED);
  checkFormat(query);
  checkNearest(query['interpolation']);
  const raster = await openLayer(parts, layer);
  const cut = version === '2.0.1' ? cutOf201(query, layer, raster) : cutOf100(query, layer, raster);
  if (isWhole(cut, raster)) return await wholeFile(parts, layer);
  const sizing = version === '2.0.1' ? 'subset' : 'width';
  if (cut.width * cut.height > MAP_LIMITS.pixels || Math.max(cut.width, cut.height) > SIDE)
    throw ogcError(
      'InvalidParameterValue',
      sizing,
      `${sizing}: the part has ${cut.width} x ${cut.height} pixels; a part may have at most ${MAP_LIMITS.pixels} pixels, and ${SIDE} on each side; request smaller parts or the whole coverage`,
    );
  const part = await inTurn(parts, cut.width * cut.height, async () => {
    request.signal.throwIfAborted();
    return await raster.geoTiff(cut);
  });
  return reply(layer, part);
};

const SIDE = 65_536;

function cutOf201(query: Query, layer: MapLayer, raster: MapRaster): Required<RasterCut> {
  const own = crsAddress(raster.grid);
  for (const name of ['subsettingcrs', 'outputcrs']) {
    const crs = query[name];
    if (crs !== undefined && crs !== '' && crs !== own && crs.toUpperCase() !== raster.grid.crs)
      throw ogcError(
        name === 'outputcrs' ? 'OutputCrs-NotSupported' : 'SubsettingCrs-NotSupported',
        name,
        `${name}: only the coordinate system of the coverage is offered; send ${own}`,
      );
  }
  const range = query['rangesubset'];
  const fields = fieldsOf(raster).map(({ name }) => name);
  if (range !== undefined && range !== '' && range !== fields.join(','))
    throw ogcError(
      'NoSuchField',
      'rangesubset',
      `rangesubset: ${JSON.stringify(range.slice(0, 40))} is not offered; send all fields: ${fields.join(',').slice(0, 400)}`,
    );
  return cutOf(query, layer, raster.grid);
}

function cutOf100(query: Query, layer: MapLayer, { grid }: MapRaster): Required<RasterCut> {
  checkTime(layer, query['time']);
  for (const name of ['crs', 'response_crs']) {
    const crs = name === 'crs' ? demanded(query, name) : (query[name] ?? grid.crs);
    if (crs.toUpperCase() !== grid.crs && crs !== '')
      throw ogcError(
        'InvalidParameterValue',
        name,
        `${name}: only the coordinate system of the coverage is offered; send ${grid.crs}`,
      );
  }
  const numbers = numbersOf(demanded(query, 'bbox'), 'bbox', 4);
  const box = boxOf(numbers, { name: 'bbox', isLatitudeFirst: false });
  return boxCut(grid, box, sizeOf(query, box));
}

/** Size by `width` and `height`, or by `resx` and `resy`; undefined without these parameters. */
function sizeOf(
  query: Query,
  [west, south, east, north]: readonly [number, number, number, number],
): { readonly width: number; readonly height: number } | undefined {
  const { width, height, resx, resy } = query;
  const positive = (text: string, name: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && value > 0 && Number.isFinite(value)) return value;
    throw ogcError(
      'InvalidParameterValue',
      name,
      `${name}: ${JSON.stringify(text.slice(0, 40))} is not a number above 0; send such a number`,
    );
  };
  if (width !== undefined || height !== undefined)
    return {
      width: Math.max(1, Math.round(positive(width ?? '', 'width'))),
      height: Math.max(1, Math.round(positive(height ?? '', 'height'))),
    };
  if (resx === undefined && resy === undefined) return undefined;
  return {
    width: Math.max(1, Math.round((east - west) / positive(resx ?? '', 'resx'))),
    height: Math.max(1, Math.round((north - south) / positive(resy ?? '', 'resy'))),
  };
}

function checkFormat({ format = 'geotiff' }: Query): void {
  if (!FORMATS.has(format.toLowerCase().replaceAll(/\s/g, '')))
    throw ogcError(
      'InvalidParameterValue',
      'format',
      `format: ${JSON.stringify(format.slice(0, 60))} is not offered; send image/tiff`,
    );
}

function checkNearest(interpolation: string | undefined): void {
  const name = interpolation?.toLowerCase().split('/').at(-1)?.replaceAll(/[\s-]/g, '') ?? '';
  if (!['', 'nearest', 'nearestneighbor'].includes(name))
    throw ogcError(
      'InterpolationMethodNotSupported',
      'interpolation',
      `interpolation: ${JSON.stringify(interpolation?.slice(0, 60))} is not offered; send nearest-neighbor`,
    );
}

const isWhole = ({ col, row, cols, rows, width, height }: Required<RasterCut>, { grid }: MapRaster): boolean =>
  col === 0 && row === 0 && cols === grid.cols && rows === grid.rows && width === cols && height === rows;

async function wholeFile({ openFile }: EmbeddedParts, layer: MapLayer): Promise<MapReply> {
  const file = await openFile(layer.assetKey);
  if (file === undefined)
    throw new DomainError(
      'unavailable',
      `${layer.name}: the stored file of this layer is missing; compute or import the layer again`,
    );
  const { etag, bytes } = file;
  return { ...reply(layer, file.stream(0, bytes - 1)), etag };
}

function reply({ name, isLasting }: MapLayer, body: NonNullable<MapReply['body']>): MapReply {
  const file = `${name.replaceAll(/[^\w.-]/g, '_')}.tif`;
  const headers = { 'content-type': MEDIA_TYPE, 'content-disposition': `attachment; filename="${file}"` };
  return { status: 200, headers, body, isLasting };
}
