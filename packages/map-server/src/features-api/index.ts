import type { MapReply } from '@headwater/core/ports';
import type { EmbeddedParts, Protocol } from '../parts.ts';
import { ogcAbsent, ogcError } from '../protocol/ogc-error.ts';
import { collectionOf, layerOf, queryablesOf, schemaOf, serviceDescription } from './collections.ts';
import { featureReply, itemsReply } from './items.ts';

const FEATURES = 'http://www.opengis.net/spec/ogcapi-features';
const CQL2 = 'http://www.opengis.net/spec/cql2/1.0/conf';

/** Conformance classes; each has tests. */
const CONFORMANCE: readonly string[] = [
  `${FEATURES}-1/1.0/conf/core`,
  // The API document is OpenAPI 3.1, but QGIS recognizes an API only by this class for OpenAPI 3.0.
  `${FEATURES}-1/1.0/conf/oas30`,
  `${FEATURES}-1/1.0/conf/geojson`,
  `${FEATURES}-2/1.0/conf/crs`,
  `${FEATURES}-3/1.0/conf/queryables`,
  `${FEATURES}-3/1.0/conf/queryables-query-parameters`,
  `${FEATURES}-3/1.0/conf/filter`,
  `${FEATURES}-3/1.0/conf/features-filter`,
  `${CQL2}/cql2-text`,
  `${CQL2}/cql2-json`,
  `${CQL2}/basic-cql2`,
  `${CQL2}/advanced-comparison-operators`,
  `${CQL2}/property-property`,
  `${CQL2}/basic-spatial-functions`,
  `${CQL2}/basic-spatial-functions-plus`,
];

/** Values of the parameter `f`. All values mean JSON, the only format. */
const FORMATS = ['json', 'geojson', 'application/json', 'application/geo+json', 'application/schema+json'];

/** OGC API Features: part 1 (GeoJSON), part 2 (EPSG:3857), part 3 (CQL2 filters). */
export const featuresApi: Protocol = async (parts, request) => {
  const { query } = request;
  const { f } = query;
  if (f !== undefined && !FORMATS.includes(f))
    throw ogcError('InvalidParameterValue', 'f', `f: "${f}" is not offered; send f=json`);
  const [first, id, part, featureId, ...more] = request.segments.slice(3);
  const base = `${parts.url}/ogc/features/v1`;
  if (first === undefined) return withoutParameters(query, () => landing(parts, base));
  if (first === 'conformance' && id === undefined)
    return withoutParameters(query, () => json({ conformsTo: CONFORMANCE }));
  if (first !== 'collections' || more.length > 0) throw nothingAt(request.segments);
  if (id === undefined) return await withoutParameters(query, async () => await collections(parts, base));
  const layer = await layerOf(parts.layers, id);
  if (part === 'items') {
    const table = await parts.tables.of(layer);
    const source = { layer, table, address: `${base}/collections/${id}`, turn: parts.turns(request.signal) };
    return featureId === undefined ? await itemsReply(source, query) : featureReply(source, query, featureId);
  }
  if (featureId !== undefined) throw nothingAt(request.segments);
  if (part === undefined) return withoutParameters(query, () => json(collectionOf(layer, base)));
  if (part !== 'schema' && part !== 'queryables') throw nothingAt(request.segments);
  const table = await parts.tables.of(layer);
  const document = part === 'schema' ? schemaOf(layer, table, base) : queryablesOf(layer, table, base);
  return withoutParameters(query, () => json(document, 'application/schema+json'));
};

const nothingAt = (segments: readonly string[]): Error =>
  ogcAbsent(
    'NotFound',
    'path',
    `path: nothing is at "${segments.join('/').slice(0, 200)}"; follow the links of ogc/features/v1`,
  );

/**
 * Refuses other parameters than `f`. If they were ignored, a client could believe that they had filtered the response.
 */
function withoutParameters<Result>(query: Readonly<Record<string, string>>, answer: () => Result): Result {
  const unknown = Object.keys(query).find((name) => name !== 'f');
  if (unknown !== undefined)
    throw ogcError('InvalidParameterValue', unknown, `${unknown}: this resource has no such parameter; leave it out`);
  return answer();
}

function json(document: unknown, contentType = 'application/json'): MapReply {
  return { status: 200, headers: { 'content-type': contentType }, body: JSON.stringify(document) };
}

function landing({ title, openApiUrl }: EmbeddedParts, base: string): MapReply {
  const type = 'application/json';
  const links = [
    { rel: 'self', type, title: 'This document', href: base },
    { rel: 'conformance', type, title: 'Conformance classes', href: `${base}/conformance` },
    {
      rel: 'http://www.opengis.net/def/rel/ogc/1.0/conformance',
      type,
      title: 'Conformance classes',
      href: `${base}/conformance`,
    },
    { rel: 'data', type, title: 'Vector layers', href: `${base}/collections` },
    {
      rel: 'http://www.opengis.net/def/rel/ogc/1.0/data',
      type,
      title: 'Vector layers',
      href: `${base}/collections`,
    },
  ];
  const description = 'Published vector layers as GeoJSON, with filters in CQL2';
  if (openApiUrl !== undefined) links.push(serviceDescription(openApiUrl));
  return json({ title, description, links });
}

async function collections({ layers }: EmbeddedParts, base: string): Promise<MapReply> {
  const found: unknown[] = [];
  for await (const layer of layers.list()) if (layer.kind === 'vector') found.push(collectionOf(layer, base));
  const links = [{ rel: 'self', type: 'application/json', title: 'This document', href: `${base}/collections` }];
  return json({ links, collections: found });
}
