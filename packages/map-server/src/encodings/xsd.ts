import { element, xmlDocument, type Xml } from '@headwater/core/xml';
import type { MapColumn, MapLayer } from '@headwater/core/ports';
import type { FeatureTable } from '../features/feature-table.ts';
import type { GmlVersion } from './gml-geometry.ts';
import { namespaceOf, xmlName } from './xml-names.ts';

/** Namespaces and public schemas, by version of GML. */
export const SCHEMAS = {
  '2.1.2': {
    wfs: 'http://www.opengis.net/wfs',
    wfsSchema: 'http://schemas.opengis.net/wfs/1.0.0/WFS-basic.xsd',
    gmlUri: 'http://www.opengis.net/gml',
    gmlSchema: 'http://schemas.opengis.net/gml/2.1.2/feature.xsd',
    feature: 'gml:_Feature',
  },
  '3.1.1': {
    wfs: 'http://www.opengis.net/wfs',
    wfsSchema: 'http://schemas.opengis.net/wfs/1.1.0/wfs.xsd',
    gmlUri: 'http://www.opengis.net/gml',
    gmlSchema: 'http://schemas.opengis.net/gml/3.1.1/base/gml.xsd',
    feature: 'gml:_Feature',
  },
  '3.2': {
    wfs: 'http://www.opengis.net/wfs/2.0',
    wfsSchema: 'http://schemas.opengis.net/wfs/2.0/wfs.xsd',
    gmlUri: 'http://www.opengis.net/gml/3.2',
    gmlSchema: 'http://schemas.opengis.net/gml/3.2.1/gml.xsd',
    feature: 'gml:AbstractFeature',
  },
} as const satisfies Readonly<Record<GmlVersion, Readonly<Record<string, string>>>>;

/** Version of GML in a version of WFS. */
export function gmlOf(wfsVersion: string): GmlVersion {
  if (wfsVersion.startsWith('1.0')) return '2.1.2';
  return wfsVersion.startsWith('1.1') ? '3.1.1' : '3.2';
}

/** A layer to describe. */
export interface DescribedLayer {
  readonly layer: Pick<MapLayer, 'workspace' | 'name' | 'geometryName'>;
  readonly table: Pick<FeatureTable, 'columns' | 'geometryType'>;
}

/** Address of the schema of layers of one workspace. */
export function describeAddress(
  url: string,
  version: string,
  layers: readonly Pick<MapLayer, 'workspace' | 'name'>[],
): string {
  const names = layers.map(({ workspace, name }) => `${workspace}:${name}`).join(',');
  const workspace = encodeURIComponent(layers[0]?.workspace ?? '');
  const query = new URLSearchParams({ service: 'WFS', version, request: 'DescribeFeatureType', typeName: names });
  return `${url}/${workspace}/wfs?${query.toString()}`;
}

/**
 * Writes the XML schema of layers. Layers of several workspaces get one import per workspace, because a schema has one
 * namespace.
 */
export function describeFeatureType(version: string, layers: readonly DescribedLayer[], url: string): string {
  const gml = gmlOf(version);
  const workspaces = [...new Set(layers.map(({ layer }) => layer.workspace))];
  const xsd = { 'xmlns:xsd': 'http://www.w3.org/2001/XMLSchema', elementFormDefault: 'qualified' };
  const [only] = workspaces;
  if (workspaces.length !== 1 || only === undefined) {
    const imports = workspaces.map((workspace) => {
      const ofWorkspace = layers.map(({ layer }) => layer).filter((layer) => layer.workspace === workspace);
      const schemaLocation = describeAddress(url, version, ofWorkspace);
      return element('xsd:import', { namespace: namespaceOf(workspace).uri, schemaLocation });
    });
    return xmlDocument(element('xsd:schema', xsd, ...imports));
  }
  const { prefix, uri } = namespaceOf(only);
  const { gmlUri, gmlSchema } = SCHEMAS[gml];
  return xmlDocument(
    element(
      'xsd:schema',
      { 'xmlns:gml': gmlUri, [`xmlns:${prefix}`]: uri, ...xsd, targetNamespace: uri },
      element('xsd:import', { namespace: gmlUri, schemaLocation: gmlSchema }),
      ...layers.flatMap((layer) => typeOf(gml, layer, prefix)),
    ),
  );
}

const TYPES: Readonly<Record<MapColumn['type'], string>> = {
  string: 'xsd:string',
  integer: 'xsd:long',
  number: 'xsd:double',
  boolean: 'xsd:boolean',
};

function typeOf(gml: GmlVersion, { layer, table }: DescribedLayer, prefix: string): readonly Xml[] {
  const name = xmlName(layer.name);
  const columns = table.columns.map((column) => member(column.name, TYPES[column.type]));
  const geometry = member(layer.geometryName, `gml:${geometryProperty(gml, table.geometryType)}`);
  return [
    element(
      'xsd:complexType',
      { name: `${name}Type` },
      element(
        'xsd:complexContent',
        {},
        element(
          'xsd:extension',
          { base: 'gml:AbstractFeatureType' },
          element('xsd:sequence', {}, ...columns, geometry),
        ),
      ),
    ),
    element('xsd:element', { name, type: `${prefix}:${name}Type`, substitutionGroup: SCHEMAS[gml].feature }),
  ];
}

const member = (name: string, type: string): Xml =>
  element('xsd:element', { name: xmlName(name), type, minOccurs: 0, maxOccurs: 1, nillable: 'true' });

const GML3_TYPES: Readonly<Record<string, string>> = {
  LineString: 'CurvePropertyType',
  Polygon: 'SurfacePropertyType',
  MultiLineString: 'MultiCurvePropertyType',
  MultiPolygon: 'MultiSurfacePropertyType',
};

function geometryProperty(gml: GmlVersion, type: FeatureTable['geometryType']): string {
  if (type === 'GeometryCollection') return 'MultiGeometryPropertyType';
  if (type === 'Geometry') return gml === '2.1.2' ? 'GeometryAssociationType' : 'GeometryPropertyType';
  return (gml === '2.1.2' ? undefined : GML3_TYPES[type]) ?? `${type}PropertyType`;
}
