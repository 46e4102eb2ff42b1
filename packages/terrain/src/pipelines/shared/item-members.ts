import {
  type Box,
  boxPolygon,
  collectionIdOf,
  collectionOf,
  type ComputedPlace,
  type Elevation,
  type IdSlugs,
  itemSources,
  itemTitle,
  type OpenedLayer,
  type PipelinePorts,
  timesOfYears,
} from '@headwater/core';
import { instant, type ItemId, type ItemInput, itemId } from '@headwater/stac';

/** What an Item of a terrain layer tells. */
export interface TerrainItem {
  readonly job: ComputedPlace;
  readonly ports: Pick<PipelinePorts, 'addresses' | 'version' | 'now'>;
  readonly runId: string;
  /** What the heights were, as far as it is known of the layer. */
  readonly source: Pick<Elevation, 'title' | 'license' | 'attribution' | 'synthetic'>;
  readonly box: Box;
  /** Last part of the Item's id. */
  readonly layer: string;
  /** E.g. `Slope`; the place and the years are added. */
  readonly title: string;
  readonly description: string;
  readonly lineage: string;
  readonly method: string;
  readonly keywords: readonly string[];
  /** Published layers that it follows from. */
  readonly sources?: readonly OpenedLayer[];
  /** First and last hydrological year; left out: it has no time of its own. */
  readonly years?: readonly [number, number];
}

/** Id of a place's Item of a layer. */
export const terrainItemId = (layer: string, { state, district, block }: IdSlugs): ItemId =>
  itemId({ state, district, block, layer });

/** Everything but assets and content. Heights have no day: without years the Item's time is that of its making. */
export function terrainMembers(told: TerrainItem): ItemInput {
  const { job, ports, source, layer, title } = told;
  const { place, slugs } = job;
  const { addresses } = ports;
  const from = itemSources(told.sources ?? [], addresses);
  const synthetic = source.synthetic === true || from.synthetic;
  const path = collectionOf(slugs);
  const id = terrainItemId(layer, slugs);
  const published = instant(ports.now());
  return {
    id,
    geometry: boxPolygon(told.box),
    title: itemTitle(title, { place: place.tehsil.name, years: told.years, synthetic }),
    description: `${told.description} Elevations: ${source.title} (licence: ${source.license}).${synthetic ? ' The data are synthetic: nothing of this was measured.' : ''}`,
    ...(told.years === undefined ? { start: published, end: published } : timesOfYears(told.years)),
    published,
    keywords: [
      'terrain',
      ...told.keywords,
      place.tehsil.name,
      place.district.name,
      place.state.name,
      ...(synthetic ? ['synthetic'] : []),
    ],
    processing: {
      lineage: `${told.lineage}, method ${told.method}`,
      software: { headwater: ports.version },
      version: told.method,
      datetime: published,
    },
    root: { href: addresses.catalog(), title: 'Headwater STAC catalogue' },
    collection: { id: collectionIdOf(slugs), href: addresses.collection(path), title: place.tehsil.name },
    self: addresses.item(path, id),
    attribution: from.attribution ?? source.attribution,
    derivedFrom: from.derivedFrom,
    extra: {
      'headwater:state': place.state.name,
      'headwater:district': place.district.name,
      'headwater:tehsil': place.tehsil.name,
      'headwater:run_id': told.runId,
      'headwater:synthetic': synthetic,
      'headwater:method_version': told.method,
      'headwater:elevation_title': source.title,
      'headwater:elevation_license': source.license,
    },
  };
}
