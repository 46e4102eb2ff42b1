import { formerItem } from '@headwater/core/places';
import { type Made, madeOf, publishVectorLayer } from '@headwater/layer-kit';
import { VECTOR_DATASET, VECTOR_WORKSPACE, vectorItemId, vectorLayerName } from '../run/names.ts';
import type { YearRaster } from '../run/rasters.ts';
import { lulcSheet } from './lulc-sheet.ts';
import { type AreasByYear, mwsColumns } from './mws-layer.ts';
import { mwsVector } from './mws-vector.ts';
import { type PublishTools, sharedMembers } from './shared-members.ts';
import { publishYear } from './year-layer.ts';

/** What was computed, to be published. */
export interface Computed {
  readonly rasters: readonly YearRaster[];
  /** Class areas per micro-watershed. */
  readonly areas: AreasByYear;
}

/** Publishes the raster of each year, the vector of areas per micro-watershed and its sheet. `progress` gets the share done. */
export async function deliverable(
  { rasters, areas }: Computed,
  tools: PublishTools,
  progress: (share: number) => void,
): Promise<Made> {
  const parts: Made[] = [];
  for (const year of rasters) {
    parts.push(await publishYear(year, tools));
    progress(parts.length / (rasters.length + 1));
  }
  const { job, context } = tools;
  if (job.region !== undefined) {
    context.log('A region has no micro-watersheds: one raster per year, no layer of areas');
    return { ...madeOf(parts), layers: [] };
  }
  if (job.mws.length === 0)
    context.log(`${job.place.tehsil.name} has no micro-watersheds: rasters only, no areas per micro-watershed`);
  else parts.push(await publishMws({ rasters, areas }, tools));
  return madeOf(parts);
}

/** The per-MWS vector over all years. */
function publishMws({ rasters, areas }: Computed, tools: PublishTools): Promise<Made> {
  const { slugs, years, mws } = tools.job;
  const [from, to] = [years[0] ?? 0, years.at(-1) ?? 0];
  return publishVectorLayer(
    {
      members: sharedMembers(tools, { from, to, years: rasters, kind: 'vector' }),
      workspace: VECTOR_WORKSPACE,
      dataset: VECTOR_DATASET,
      layerName: vectorLayerName,
      ...mwsVector(mws, areas, to),
      columns: mwsColumns(years),
      tables: [lulcSheet(mws, areas)],
      formerly: formerItem(slugs, vectorItemId),
    },
    tools,
  );
}
