import type { Deliverable, PublishedTable } from '@headwater/core';
import { formerItem } from '@headwater/core/places';
import { publishVectorLayer } from '@headwater/layer-kit';
import { VECTOR_DATASET, VECTOR_WORKSPACE, vectorItemId, vectorLayerName } from '../run/names.ts';
import type { YearRaster } from '../run/rasters.ts';
import { lulcSheet } from './lulc-sheet.ts';
import { type AreasByYear, mwsColumns } from './mws-layer.ts';
import { mwsVector } from './mws-vector.ts';
import { type PublishTools, sharedMembers } from './shared-members.ts';
import { type Published, publishYear } from './year-layer.ts';

/** What was computed, to be published. */
export interface Computed {
  readonly rasters: readonly YearRaster[];
  /** Class areas per micro-watershed. */
  readonly areas: AreasByYear;
}

/** Publishes the raster of each year, the per-MWS vector and its sheet: Items and layer records of the run. `told` gets the share done. */
export async function deliverable(
  { rasters, areas }: Computed,
  tools: PublishTools,
  told: (share: number) => void,
): Promise<Omit<Deliverable, 'timings'>> {
  const published: Published[] = [];
  for (const year of rasters) {
    published.push(await publishYear(year, tools));
    told(published.length / (rasters.length + 1));
  }
  const { job, context } = tools;
  const tables: PublishedTable[] = [];
  if (job.region !== undefined) context.log('A region has no micro-watersheds: one raster per year, no layer of areas');
  else if (job.mws.length === 0)
    context.log(`${job.place.tehsil.name} has no micro-watersheds: rasters only, no areas per micro-watershed`);
  else {
    const vector = await publishMws({ rasters, areas }, tools);
    published.push(vector);
    tables.push(lulcSheet(job.mws, areas, { tehsilId: job.place.tehsil.id, itemId: vector.item.id }));
  }
  const layers = job.region === undefined ? published.flatMap((each) => each.layers) : [];
  return { items: published.map(({ item }) => item), layers, tables };
}

/** The per-MWS vector over all years. */
async function publishMws({ rasters, areas }: Computed, tools: PublishTools): Promise<Published> {
  const { slugs, years, mws } = tools.job;
  const [from, to] = [years[0] ?? 0, years.at(-1) ?? 0];
  const { item, layer } = await publishVectorLayer(
    {
      members: sharedMembers(tools, { from, to, years: rasters, kind: 'vector' }),
      workspace: VECTOR_WORKSPACE,
      dataset: VECTOR_DATASET,
      layerName: vectorLayerName,
      ...mwsVector(mws, areas, to),
      columns: mwsColumns(years),
    },
    tools,
  );
  return { item: { ...item, formerly: formerItem(slugs, vectorItemId) }, layers: [layer] };
}
