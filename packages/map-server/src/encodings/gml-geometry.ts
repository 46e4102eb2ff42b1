import { element, escapeXml, xmlText, type Xml } from '@headwater/core/xml';
import type { Geometry, Position } from 'geojson';
import type { FeatureBox } from '../features/feature-table.ts';
import { codeOf, projectionOf } from './coordinates.ts';
import type { FeatureResponse } from './request.ts';

/** Version of GML. */
export type GmlVersion = '2.1.2' | '3.1.1' | '3.2';

/** Writes geometries as GML, without heights. */
export interface GmlGeometries {
  /** Writes a geometry. `id` becomes the gml:id in GML 3.2. */
  write(geometry: Geometry, id: string): string;
  /** Writes a box as gml:Box or gml:Envelope. */
  box(box: FeatureBox): Xml;
}

type Multi = 'MultiPoint' | 'MultiLineString' | 'MultiPolygon';

const MULTI: Readonly<Record<'2' | '3', Readonly<Record<Multi, readonly [element: string, member: string]>>>> = {
  '2': {
    MultiPoint: ['MultiPoint', 'pointMember'],
    MultiLineString: ['MultiLineString', 'lineStringMember'],
    MultiPolygon: ['MultiPolygon', 'polygonMember'],
  },
  '3': {
    MultiPoint: ['MultiPoint', 'pointMember'],
    MultiLineString: ['MultiCurve', 'curveMember'],
    MultiPolygon: ['MultiSurface', 'surfaceMember'],
  },
};

const SINGLE = { MultiPoint: 'Point', MultiLineString: 'LineString', MultiPolygon: 'Polygon' } as const;

/** Creates the writer for the coordinate system and axis order of a response. */
export function gmlGeometries(gml: GmlVersion, { srs, axis }: Pick<FeatureResponse, 'srs' | 'axis'>): GmlGeometries {
  const major = gml === '2.1.2' ? '2' : '3';
  const separator = major === '2' ? ',' : ' ';
  const isFlipped = axis === 'yx' && srs === 'EPSG:4326';
  const srsName = srsNameOf(gml, { srs, axis });
  const project = projectionOf(srs);
  const point = ([x = 0, y = 0]: Position): string => {
    if (project !== undefined) return project(x, y).join(separator);
    return isFlipped ? `${y}${separator}${x}` : `${x}${separator}${y}`;
  };
  const tags = tagsOf(major, point);

  const write = (geometry: Geometry, attributes: string, id: string): string => {
    const open = (name: string): string =>
      `<gml:${name}${attributes}${gml === '3.2' ? ` gml:id="${escapeXml(id)}"` : ''}>`;
    if (geometry.type === 'Point') return `${open('Point')}${tags.position(geometry.coordinates)}</gml:Point>`;
    if (geometry.type === 'LineString')
      return `${open('LineString')}${tags.positions(geometry.coordinates)}</gml:LineString>`;
    if (geometry.type === 'Polygon')
      return `${open('Polygon')}${geometry.coordinates.map(tags.ring).join('')}</gml:Polygon>`;
    const [name, member] =
      geometry.type === 'GeometryCollection' ? ['MultiGeometry', 'geometryMember'] : MULTI[major][geometry.type];
    const members = partsOf(geometry).map(
      (part, at) => `<gml:${member}>${write(part, '', `${id}.${at + 1}`)}</gml:${member}>`,
    );
    return `${open(name)}${members.join('')}</gml:${name}>`;
  };
  const top = ` srsName="${srsName}"${major === '2' ? '' : ' srsDimension="2"'}`;
  return {
    write: (geometry, id) => write(geometry, top, id),
    box: ([west, south, east, north]) => {
      const corners = [point([west, south]), point([east, north])] as const;
      if (major === '2')
        return element('gml:Box', { srsName }, element('gml:coordinates', SEPARATORS, xmlText(corners.join(' '))));
      const [lower, upper] = corners;
      return element(
        'gml:Envelope',
        { srsName, srsDimension: 2 },
        element('gml:lowerCorner', {}, xmlText(lower)),
        element('gml:upperCorner', {}, xmlText(upper)),
      );
    },
  };
}

const SEPARATORS = { decimal: '.', cs: ',', ts: ' ' };

function tagsOf(major: '2' | '3', point: (position: Position) => string) {
  const [first, list] =
    major === '2' ? ['<gml:coordinates decimal="." cs="," ts=" ">', 'coordinates'] : ['<gml:posList>', 'posList'];
  const positions = (all: readonly Position[]): string => {
    let text = first;
    let space = '';
    for (const each of all) {
      text += space + point(each);
      space = ' ';
    }
    return `${text}</gml:${list}>`;
  };
  const [outer, inner] = major === '2' ? ['outerBoundaryIs', 'innerBoundaryIs'] : ['exterior', 'interior'];
  return {
    positions,
    position: (one: Position) => (major === '2' ? positions([one]) : `<gml:pos>${point(one)}</gml:pos>`),
    ring: (ring: readonly Position[], at: number) => {
      const name = at === 0 ? outer : inner;
      return `<gml:${name}><gml:LinearRing>${positions(ring)}</gml:LinearRing></gml:${name}>`;
    },
  };
}

function partsOf(geometry: Exclude<Geometry, { type: 'Point' | 'LineString' | 'Polygon' }>): readonly Geometry[] {
  if (geometry.type === 'GeometryCollection') return geometry.geometries;
  const type = SINGLE[geometry.type];
  return geometry.coordinates.map((coordinates) => ({ type, coordinates }) as Geometry);
}

/**
 * Name of a CRS. It decides the axis order: GDAL and QGIS read `urn:…EPSG::4326` as lat,lon, and `…/epsg.xml#4326` as
 * lon,lat.
 */
function srsNameOf(gml: GmlVersion, { srs, axis }: Pick<FeatureResponse, 'srs' | 'axis'>): string {
  const code = codeOf(srs);
  if (gml === '2.1.2' || (srs === 'EPSG:4326' && axis === 'xy'))
    return `http://www.opengis.net/gml/srs/epsg.xml#${code}`;
  if (srs === 'CRS:84') return 'urn:ogc:def:crs:OGC:1.3:CRS84';
  return gml === '3.1.1' ? `urn:x-ogc:def:crs:EPSG:${code}` : `urn:ogc:def:crs:EPSG::${code}`;
}
