import { placeSlug } from '@headwater/core';
import type { RawRecord } from './dump-records.ts';

/** Tehsil of the live system. */
export interface LivePlace {
  readonly id: number;
  readonly state: string;
  readonly district: string;
  readonly tehsil: string;
}

type LayersOf = readonly [LivePlace, readonly RawRecord[]];

const TEHSILS = 'pan_india_asset:SOI_tehsil_pan_india_dataset';
/** Period that is assumed for all layers (hydrological years), because REST does not return the days of a layer. */
const PERIOD = { start: '2017-07-01', end: '2025-06-30' };

const namesOf = ({ state, district, tehsil }: LivePlace) => ({ state, district, tehsil });

/**
 * Records of places: boundaries and ids of tehsils, boundaries of their micro-watersheds and villages. The file of
 * boundaries is an address at the map server; tehsils whose layers name no map server have no boundaries.
 */
export function* placeRecords(layers: readonly LayersOf[]): Generator<RawRecord> {
  const known = layers.flatMap(([place, records]) => {
    const server = records.flatMap(({ layer_url: url }) => mapServerOf(url) ?? [])[0];
    return server === undefined ? [] : [{ place, server }];
  });
  for (const { place, server } of known) {
    const filter = Object.entries({ STATE: place.state, District: place.district, TEHSIL: place.tehsil });
    const where = filter.map(([name, value]) => `${name}='${value.replaceAll("'", "''")}'`).join(' AND ');
    yield boundaries('places', place, featureUrl(server, TEHSILS, where));
  }
  for (const [place] of layers) yield { type: 'tehsil', id: place.id, ...namesOf(place), is_active: true };
  for (const { place, server } of known) {
    const name = `${placeSlug(place.district)}_${placeSlug(place.tehsil)}`;
    yield boundaries('mws', place, featureUrl(server, `mws:mws_${name}`));
    yield boundaries('villages', place, featureUrl(server, `panchayat_boundaries:${name}`));
  }
}

function boundaries(kind: string, place: LivePlace, url: string): RawRecord {
  return { type: 'boundaries', id: `${kind} ${place.id}`, kind, place: namesOf(place), file: { url } };
}

/** Address of the map server: the part before `/{workspace}/ows` or `/{workspace}/wcs`. */
function mapServerOf(url: unknown): string | undefined {
  return typeof url === 'string' ? /^(https?:\/\/[^?#]+)\/[^/?#]+\/(?:ows|wcs)\?/.exec(url)?.[1] : undefined;
}

function featureUrl(server: string, layer: string, where?: string): string {
  const query = new URLSearchParams({
    service: 'WFS',
    version: '1.0.0',
    request: 'GetFeature',
    typeName: layer,
    outputFormat: 'application/json',
    ...(where !== undefined && { CQL_FILTER: where }),
  });
  return `${server}/${layer.split(':')[0] ?? ''}/ows?${query.toString()}`;
}

/** Records of datasets and layers. Layers whose address does not contain a workspace are left out. */
export function* layerRecords(layers: readonly LayersOf[]): Generator<RawRecord> {
  const datasets = new Map<unknown, RawRecord>();
  const found = layers.flatMap(([place, records]) =>
    records.flatMap((record) => {
      const { layer_url: url, dataset_name: dataset, layer_type: kind } = record;
      const workspace = typeof url === 'string' ? /\/([^/?#]+)\/(?:ows|wcs)\?/.exec(url)?.[1] : undefined;
      if (workspace === undefined) return [];
      datasets.set(dataset, { type: 'dataset', id: dataset, name: dataset, layer_type: kind, workspace });
      return [{ place, record, workspace }];
    }),
  );
  yield* datasets.values();
  for (const { place, record, workspace } of found) {
    const { layer_name: name, dataset_name: dataset, layer_version: version, layer_url: url } = record;
    yield {
      type: 'layer',
      id: `${workspace}:${String(name)}:${place.id}`,
      layer_name: name,
      workspace,
      dataset,
      ...namesOf(place),
      title: dataset,
      description: `${String(dataset)}, moved from the live system (${String(name)}).`,
      ...PERIOD,
      version,
      file: { url },
    };
  }
}
