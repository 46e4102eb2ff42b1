import type { MapLayer, MapRaster } from '@headwater/core/ports';
import { element, type Xml, xmlDocument, xmlText } from '@headwater/core/xml';
import { openLayer } from '../drawing/drawing.ts';
import type { Protocol } from '../parts.ts';
import { findLayer, workspaceOf } from '../protocol/find-layer.ts';
import { demanded, plainBox, shortAbstract } from '../protocol/map-parameters.ts';
import { ogcError } from '../protocol/ogc-error.ts';
import { type CoverageField, coverageId, crsAddress, edgesOf, fieldsOf, isDegrees, versionOf } from './coverage.ts';

const MOST = 20;

const NAMESPACES = {
  'xmlns:wcs': 'http://www.opengis.net/wcs/2.0',
  'xmlns:ows': 'http://www.opengis.net/ows/2.0',
  'xmlns:gml': 'http://www.opengis.net/gml/3.2',
  'xmlns:gmlcov': 'http://www.opengis.net/gmlcov/1.0',
  'xmlns:swe': 'http://www.opengis.net/swe/2.0',
};

/** DescribeCoverage: grid, CRS and fields of coverages. */
export const describeCoverage: Protocol = async (parts, request) => {
  const { query } = request;
  const version = versionOf(query);
  const [parameter, code] =
    version === '2.0.1' ? (['coverageid', 'NoSuchCoverage'] as const) : (['coverage', 'CoverageNotDefined'] as const);
  const names = demanded(query, parameter).split(',');
  if (names.length > MOST)
    throw ogcError('InvalidParameterValue', parameter, `${parameter}: ${names.length} coverages; send at most ${MOST}`);
  const descriptions: Xml[] = [];
  for (const name of names) {
    const layer = await findLayer(parts, request, { parameter, name, code, kind: 'raster' });
    const raster = await openLayer(parts, layer);
    const describe = version === '2.0.1' ? description201 : description100;
    descriptions.push(describe(layer, raster, workspaceOf(request)));
  }
  const root =
    version === '2.0.1'
      ? element('wcs:CoverageDescriptions', NAMESPACES, ...descriptions)
      : element(
          'CoverageDescription',
          { version, xmlns: 'http://www.opengis.net/wcs', 'xmlns:gml': 'http://www.opengis.net/gml' },
          ...descriptions,
        );
  return { status: 200, headers: { 'content-type': 'application/xml; charset=utf-8' }, body: xmlDocument(root) };
};

const textOf = (name: string, text: string | number): Xml => element(name, {}, xmlText(text));

/**
 * Description of a coverage for 2.0.1, as GDAL reads it. The first axis of the grid (`i`) counts columns, the second
 * (`j`) rows. Positions and offset vectors have the axis order of the CRS.
 */
function description201(layer: MapLayer, raster: MapRaster): Xml {
  const { grid } = raster;
  const id = coverageId(layer);
  const gmlId = /^[A-Za-z_]/.test(id) ? id.replaceAll(/[^\w.-]/g, '_') : `_${id.replaceAll(/[^\w.-]/g, '_')}`;
  const { east, south } = edgesOf(grid);
  const srsName = crsAddress(grid);
  const degrees = isDegrees(grid);
  const point = (x: number, y: number): string => (degrees ? `${y} ${x}` : `${x} ${y}`);
  const labels = degrees ? { axisLabels: 'Lat Long', uomLabels: 'Deg Deg' } : { axisLabels: 'E N', uomLabels: 'm m' };
  const envelope = element(
    'gml:Envelope',
    { srsName, ...labels, srsDimension: 2 },
    textOf('gml:lowerCorner', point(grid.west, south)),
    textOf('gml:upperCorner', point(east, grid.north)),
  );
  const origin = point(grid.west + grid.pixelWidth / 2, grid.north - grid.pixelHeight / 2);
  const rectified = element(
    'gml:RectifiedGrid',
    { 'gml:id': `grid_${gmlId}`, dimension: 2 },
    element(
      'gml:limits',
      {},
      element(
        'gml:GridEnvelope',
        {},
        textOf('gml:low', '0 0'),
        textOf('gml:high', `${grid.cols - 1} ${grid.rows - 1}`),
      ),
    ),
    textOf('gml:axisLabels', 'i j'),
    element(
      'gml:origin',
      {},
      element('gml:Point', { 'gml:id': `origin_${gmlId}`, srsName }, textOf('gml:pos', origin)),
    ),
    element('gml:offsetVector', { srsName }, xmlText(point(grid.pixelWidth, 0))),
    element('gml:offsetVector', { srsName }, xmlText(point(0, -grid.pixelHeight))),
  );
  return element(
    'wcs:CoverageDescription',
    { 'gml:id': gmlId },
    textOf('gml:description', shortAbstract(layer)),
    textOf('gml:name', layer.title),
    element('gml:boundedBy', {}, envelope),
    textOf('wcs:CoverageId', id),
    element('gml:domainSet', {}, rectified),
    element(
      'gmlcov:rangeType',
      {},
      element(
        'swe:DataRecord',
        {},
        ...fieldsOf(raster).map((field) => element('swe:field', { name: field.name }, quantity(field, raster))),
      ),
    ),
    element(
      'wcs:ServiceParameters',
      {},
      textOf('wcs:CoverageSubtype', 'RectifiedGridCoverage'),
      textOf('wcs:nativeFormat', 'image/tiff'),
    ),
  );
}

function quantity({ name, description }: CoverageField, { nodata, scaling, bands }: MapRaster): Xml {
  // Scale and offset are stated only for a raster with one band, because `scaling` describes only the first band.
  const isScaled = scaling !== null && bands.length === 1;
  const meaning = isScaled ? `${name}: value = sample x ${scaling.scale} + ${scaling.offset}` : description;
  const reason = 'http://www.opengis.net/def/nil/OGC/0/unknown';
  const nil =
    nodata === null
      ? []
      : [
          element(
            'swe:nilValues',
            {},
            element('swe:NilValues', {}, element('swe:nilValue', { reason }, xmlText(nodata))),
          ),
        ];
  return element('swe:Quantity', {}, textOf('swe:description', meaning), ...nil, element('swe:uom', { code: '1' }));
}

function description100(layer: MapLayer, raster: MapRaster, workspace: string | undefined): Xml {
  const { grid } = raster;
  const { east, south } = edgesOf(grid);
  const name = workspace === undefined ? `${layer.workspace}:${layer.name}` : layer.name;
  const positions = (box: readonly [number, number, number, number]): readonly Xml[] => [
    textOf('gml:pos', `${box[0]} ${box[1]}`),
    textOf('gml:pos', `${box[2]} ${box[3]}`),
  ];
  const rectified = element(
    'gml:RectifiedGrid',
    { dimension: 2, srsName: grid.crs },
    element(
      'gml:limits',
      {},
      element(
        'gml:GridEnvelope',
        {},
        textOf('gml:low', '0 0'),
        textOf('gml:high', `${grid.cols - 1} ${grid.rows - 1}`),
      ),
    ),
    textOf('gml:axisName', 'x'),
    textOf('gml:axisName', 'y'),
    element(
      'gml:origin',
      {},
      textOf('gml:pos', `${grid.west + grid.pixelWidth / 2} ${grid.north - grid.pixelHeight / 2}`),
    ),
    textOf('gml:offsetVector', `${grid.pixelWidth} 0`),
    textOf('gml:offsetVector', `0 ${-grid.pixelHeight}`),
  );
  const box = isDegrees(grid) ? ([grid.west, south, east, grid.north] as const) : plainBox(layer);
  return element(
    'CoverageOffering',
    {},
    textOf('description', shortAbstract(layer)),
    textOf('name', name),
    textOf('label', layer.title),
    element('lonLatEnvelope', { srsName: 'urn:ogc:def:crs:OGC:1.3:CRS84' }, ...positions(box)),
    element(
      'domainSet',
      {},
      element(
        'spatialDomain',
        {},
        element('gml:Envelope', { srsName: grid.crs }, ...positions([grid.west, south, east, grid.north])),
        rectified,
      ),
    ),
    rangeSet(layer, raster),
    element('supportedCRSs', {}, textOf('requestResponseCRSs', grid.crs), textOf('nativeCRSs', grid.crs)),
    element('supportedFormats', { nativeFormat: 'GeoTIFF' }, textOf('formats', 'GeoTIFF')),
    element(
      'supportedInterpolations',
      { default: 'nearest neighbor' },
      textOf('interpolationMethod', 'nearest neighbor'),
    ),
  );
}

/** Range set of 1.0.0; several bands become an axis with their names. */
function rangeSet({ name, title }: MapLayer, raster: MapRaster): Xml {
  const { nodata } = raster;
  const fields = fieldsOf(raster);
  const values = fields.map((field) => textOf('singleValue', field.name));
  const axis = element(
    'AxisDescription',
    {},
    textOf('name', 'Band'),
    textOf('label', fields.map(({ description }) => description).join(', ')),
    element('values', {}, ...values),
  );
  const axes = fields.length === 1 ? [] : [element('axisDescription', {}, axis)];
  const nulls = nodata === null ? [] : [element('nullValues', {}, textOf('singleValue', nodata))];
  return element(
    'rangeSet',
    {},
    element('RangeSet', {}, textOf('name', name), textOf('label', title), ...axes, ...nulls),
  );
}
