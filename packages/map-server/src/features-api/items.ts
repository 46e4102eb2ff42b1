import type { MapLayer, MapReply } from '@headwater/core/ports';
import { inSrs } from '../encodings/coordinates.ts';
import { type FeatureSrs, textBody } from '../encodings/request.ts';
import type { FeatureTable, MapFeature } from '../features/feature-table.ts';
import { ogcAbsent, ogcError } from '../protocol/ogc-error.ts';
import type { Turn } from '../protocol/turns.ts';
import { CRS3857, CRS84 } from './collections.ts';
import { chosenColumns, type ItemsPage, itemsPage, type ItemsParameters, srsOf } from './items-query.ts';

/** A layer whose features are requested, and its table. */
export interface ItemsSource {
  readonly layer: MapLayer;
  readonly table: FeatureTable;
  /** Address of the collection. */
  readonly address: string;
  readonly turn: Turn;
}

const GEOJSON = 'application/geo+json';

/** Answers a request for the features of a layer. */
export async function itemsReply({ address, ...source }: ItemsSource, query: ItemsParameters): Promise<MapReply> {
  const { layer, table } = source;
  const srs = srsOf(query, 'crs');
  const write = featureWriter(table, query, srs);
  const page = await itemsPage(source, query);
  const links = [...pageLinks(`${address}/items`, query, page), collectionLink(address)];
  return {
    ...replyOf(layer, srs),
    body: textBody(pageTexts(page, write, links)),
  };
}

/** Answers a request for one feature. */
export function featureReply({ layer, table, address }: ItemsSource, query: ItemsParameters, id: string): MapReply {
  const unknown = Object.keys(query).find((name) => !['f', 'crs', 'properties'].includes(name));
  if (unknown !== undefined)
    throw ogcError('InvalidParameterValue', unknown, `${unknown}: a feature has no such parameter; leave it out`);
  const srs = srsOf(query, 'crs');
  const write = featureWriter(table, query, srs);
  const feature = table.features[Number(id.slice(id.lastIndexOf('.') + 1)) - 1];
  if (feature?.id !== id)
    throw ogcAbsent(
      'NotFound',
      'featureId',
      `featureId: the layer has no feature "${id.slice(0, 200)}"; use an id of its items, such as ${layer.name}.1`,
    );
  const self = {
    rel: 'self',
    type: GEOJSON,
    title: 'This feature',
    href: `${address}/items/${encodeURIComponent(id)}`,
  };
  const links = JSON.stringify([self, collectionLink(address)]);
  return { ...replyOf(layer, srs), body: `${write(feature).slice(0, -1)},"links":${links}}` };
}

const replyOf = (layer: MapLayer, srs: FeatureSrs) => ({
  status: 200,
  headers: { 'content-type': GEOJSON, 'content-crs': `<${srs === 'EPSG:3857' ? CRS3857 : CRS84}>` },
  etag: `features-${layer.version}`,
});

const collectionLink = (address: string) => ({
  rel: 'collection',
  type: 'application/json',
  title: 'The collection',
  href: address,
});

function featureWriter(table: FeatureTable, query: ItemsParameters, srs: FeatureSrs): (feature: MapFeature) => string {
  const columns = chosenColumns(table, query);
  const isWhole = columns === table.columns;
  return ({ id, geometry, properties }) =>
    JSON.stringify({
      type: 'Feature',
      id,
      geometry: inSrs(geometry, srs),
      properties: isWhole
        ? properties
        : Object.fromEntries(
            columns.flatMap(({ name }) => (Object.hasOwn(properties, name) ? [[name, properties[name]]] : [])),
          ),
    });
}

function* pageTexts(page: ItemsPage, write: (feature: MapFeature) => string, links: unknown): Generator<string> {
  yield '{"type":"FeatureCollection","features":[';
  let separator = '';
  for (const feature of page.features) {
    yield separator + write(feature);
    separator = ',';
  }
  const end = { numberMatched: page.matched, numberReturned: page.features.length, links };
  yield `],${JSON.stringify(end).slice(1)}`;
}

function pageLinks(address: string, query: ItemsParameters, { matched, offset, limit }: ItemsPage) {
  const at = (rel: string, title: string, start: number) => {
    const { offset: _, ...others } = query;
    const parameters = new URLSearchParams({ ...others, ...(start > 0 ? { offset: String(start) } : {}) }).toString();
    return { rel, type: GEOJSON, title, href: parameters === '' ? address : `${address}?${parameters}` };
  };
  return [
    at('self', 'This page', offset),
    ...(offset + limit < matched ? [at('next', 'Next page', offset + limit)] : []),
    ...(offset > 0 ? [at('prev', 'Previous page', Math.max(0, Math.min(offset, matched) - limit))] : []),
  ];
}
