import { element, escapeXml, xmlText } from '@headwater/core/xml';
import type { FeatureBox, MapFeature } from '../features/feature-table.ts';
import { asLayerType } from './coordinates.ts';
import { gmlGeometries, type GmlGeometries, type GmlVersion } from './gml-geometry.ts';
import { cellText, type FeatureResponse, valueOf } from './request.ts';
import { describeAddress, SCHEMAS } from './xsd.ts';
import { namespaceOf, xmlName } from './xml-names.ts';

const AROUND: Readonly<Record<GmlVersion, readonly [open: string, close: string]>> = {
  '2.1.2': ['<gml:featureMember>', '</gml:featureMember>'],
  '3.1.1': ['', ''],
  '3.2': ['<wfs:member>', '</wfs:member>'],
};

/** Yields features as a wfs:FeatureCollection of the WFS version that uses this version of GML. */
export function* gmlTexts(gml: GmlVersion, response: FeatureResponse): Generator<string> {
  const geometries = gmlGeometries(gml, response);
  const [head, end] = collectionTags(gml, response);
  yield `<?xml version="1.0" encoding="UTF-8"?>\n${head}`;
  if (response.isHits !== true) {
    yield bounds(gml, response, geometries);
    const feature = featureWriter(gml, response, geometries);
    const [open, close] = AROUND[gml];
    // The list of members is optional; it is left out if it would be empty.
    const isList = gml === '3.1.1' && response.features.length > 0;
    if (isList) yield '<gml:featureMembers>';
    for (const each of response.features) yield `${open}${feature(each)}${close}\n`;
    if (isList) yield '</gml:featureMembers>';
  }
  yield `${end}\n`;
}

function collectionTags(gml: GmlVersion, response: FeatureResponse): readonly [head: string, end: string] {
  const { layer, features, numberMatched, timeStamp, url, version, isHits = false } = response;
  const { prefix, uri } = namespaceOf(layer.workspace);
  const { wfs, wfsSchema, gmlUri } = SCHEMAS[gml];
  const describe = describeAddress(url, version, [layer]);
  const counts = {
    '2.1.2': {},
    '3.1.1': { numberOfFeatures: isHits ? numberMatched : features.length, timeStamp: timeStamp.toISOString() },
    '3.2': { numberMatched, numberReturned: features.length, timeStamp: timeStamp.toISOString() },
  };
  const whole = element(
    'wfs:FeatureCollection',
    {
      'xmlns:wfs': wfs,
      'xmlns:gml': gmlUri,
      [`xmlns:${prefix}`]: uri,
      'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      ...counts[gml],
      'xsi:schemaLocation': `${wfs} ${wfsSchema} ${uri} ${describe}`,
    },
    xmlText('\n'),
  );
  const at = whole.lastIndexOf('</');
  return [whole.slice(0, at), whole.slice(at)];
}

/**
 * Extent of the features. If no feature has a geometry, the extent is `unknown` in GML 2.1.2 and 3.1.1, and left out
 * in GML 3.2.
 */
function bounds(gml: GmlVersion, { features }: FeatureResponse, geometries: GmlGeometries): string {
  const box = unionOf(features);
  if (box !== null) return element(gml === '3.2' ? 'wfs:boundedBy' : 'gml:boundedBy', {}, geometries.box(box));
  if (gml === '3.2') return '';
  return element('gml:boundedBy', {}, element(gml === '2.1.2' ? 'gml:null' : 'gml:Null', {}, xmlText('unknown')));
}

function unionOf(features: readonly MapFeature[]): FeatureBox | null {
  const all: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { box } of features) {
    if (box === null) continue;
    all[0] = Math.min(all[0], box[0]);
    all[1] = Math.min(all[1], box[1]);
    all[2] = Math.max(all[2], box[2]);
    all[3] = Math.max(all[3], box[3]);
  }
  return all[0] <= all[2] ? all : null;
}

function featureWriter(
  gml: GmlVersion,
  { layer, columns, table }: FeatureResponse,
  geometries: GmlGeometries,
): (feature: MapFeature) => string {
  const { prefix } = namespaceOf(layer.workspace);
  const name = `${prefix}:${xmlName(layer.name)}`;
  const idName = gml === '2.1.2' ? 'fid' : 'gml:id';
  const written = columns.map((column) => ({ column: column.name, tag: `${prefix}:${xmlName(column.name)}` }));
  const geometryTag = `${prefix}:${xmlName(layer.geometryName)}`;
  return (feature) => {
    const id = xmlName(feature.id);
    let text = `<${name} ${idName}="${id}">`;
    for (const { column, tag } of written) {
      const value = valueOf(feature, column);
      if (value !== undefined) text += `<${tag}>${escapeXml(cellText(value))}</${tag}>`;
    }
    if (feature.geometry !== null && feature.box !== null) {
      const geometry = asLayerType(feature.geometry, table.geometryType);
      text += `<${geometryTag}>${geometries.write(geometry, `${id}.geom`)}</${geometryTag}>`;
    }
    return `${text}</${name}>`;
  };
}
