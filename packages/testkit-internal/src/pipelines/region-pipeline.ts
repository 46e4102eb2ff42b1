import { type Box, collectionOf, type Deliverable, DomainError, outputGrid, type Pipeline } from '@headwater/core';
import { regionPlace } from '@headwater/core/places';
import { itemFrame, openFiles, itemGrid, timesOfYears } from '@headwater/layer-kit';
import { itemId, rasterItem } from '@headwater/stac';
import { z } from 'zod';
import { PLACE_PIPELINE, type PlaceRequest, SAMPLE_REQUEST } from './place-request.ts';

const params = z.object({ region: z.tuple([z.number(), z.number(), z.number(), z.number()]), year: z.int() });
type Params = Readonly<z.infer<typeof params>>;

/** Callbacks of a `regionPipeline`. */
export interface RegionWork {
  /** Called when a computation begins. The computation waits for the returned promise. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /**
   * Returns the newest year with scenes of a region, or `undefined` if no year has scenes. Without this function, each
   * request must contain a year.
   */
  readonly newestYear?: (region: Box) => Promise<number | undefined>;
}

/** Pipeline that publishes an empty result for a region, without computing pixels. */
export function regionPipeline(scheme: string, { work, newestYear }: RegionWork): Pipeline<PlaceRequest, Params> {
  return {
    name: `empty_${scheme}`,
    route: `generate_empty_${scheme}`,
    aliases: [],
    summary: 'Publishes an empty map of a region.',
    examples: [{ name: 'start', request: SAMPLE_REQUEST }],
    messages: { initiated: 'initiated', finished: 'finished' },
    request: PLACE_PIPELINE.request,
    resolve: () => Promise.reject(new DomainError('conflict', 'Only regions are computed.')),
    regions: {
      scheme,
      resolve: ({ region: [w, s, e, n], startYear }) => ({ region: [w, s, e, n], year: startYear }),
      ...(newestYear === undefined ? {} : { newestYear }),
    },
    params,
    steps: [{ name: 'draw', weight: 1 }],
    fingerprint: ({ region, year }) => [scheme, ...region, year].join(':'),
    inputs: async () => 'nothing',
    async execute({ region, year }, ports, { run, signal }): Promise<Deliverable> {
      await work(signal);
      const files = await openFiles(ports, run);
      const file = await files.write('empty.tif', 'no pixels');
      const job = await regionPlace(region);
      const { state, district, block } = job.slugs;
      const id = itemId({ state, district, block, layer: `${scheme}_raster`, year });
      const frame = itemFrame({
        id,
        job,
        ports,
        runId: run.id,
        method: '1',
        lineage: 'Nothing.',
        keywords: ['empty'],
        synthetic: true,
      });
      const asset = { href: ports.addresses.file(file.key), title: 'Raster Layer', file };
      const item = rasterItem({
        ...frame,
        title: `Nothing of ${job.place.tehsil.name}`,
        description: 'An empty map.',
        geometry: {
          type: 'Polygon',
          coordinates: job.clip.flatMap((each) => (each.type === 'Polygon' ? each.coordinates : [])),
        },
        ...timesOfYears([year, year]),
        grid: itemGrid(outputGrid(region), 10),
        content: {
          dataType: 'uint8',
          nodata: 0,
          classes: [{ value: 1, name: 'one', description: 'One', color: 'ff0000' }],
        },
        assets: { data: asset },
      });
      return {
        items: [{ id, collectionPath: collectionOf(job.slugs), item: { ...item } }],
        layers: [],
        timings: {},
        inputs: 'nothing',
      };
    },
  };
}
