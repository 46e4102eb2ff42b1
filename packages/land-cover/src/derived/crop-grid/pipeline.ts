import {
  featureGeometry,
  outputGrid,
  type PublishedReads,
  sphericalAreaHa,
  yearFields,
  type Zone,
} from '@headwater/core';
import type { ZonalPairs } from '@headwater/core/ports';
import {
  equalSteps,
  type LayerFeature,
  layerPipeline,
  type LayerWork,
  type RunOutput,
  MWS_AREA,
  placeExamples,
  placeParams,
  placeRequest,
  publishVector,
  resolvePlaceParams,
  share,
} from '@headwater/layer-kit';
import { z } from 'zod';
import { checkYears } from '../../request/resolve.ts';
import { RASTER_WORKSPACE, yearOfLayer } from '../../run/names.ts';
import { FIRST_YEAR, lastCompleteYear } from '../../series/series.ts';
import { LAND_COVER, landCoverNeeds, NO_OTHER_INPUTS } from '../years/needs.ts';
import { CELL_PIXELS, cellsOver, cropColumns, cropsOfCell } from './cells.ts';

const params = placeParams.extend({ firstYear: z.int(), year: z.int() });
const request = placeRequest.extend({
  startYear: yearFields.startYear
    .describe(
      'If the land cover must be computed first: the first hydrological year to compute; default: the year whose land cover is used.',
    )
    .optional(),
  endYear: yearFields.endYear
    .describe('Hydrological year of the land cover to use; default: the newest published year.')
    .optional(),
});
type Params = Readonly<z.infer<typeof params>>;

/** Publishes the square cells with crops or mostly unseen land, with hectares by number of crops. */
export const cropGridPipeline = layerPipeline({
  name: 'crop_grid',
  messages: { initiated: 'crop_grid task initiated' },
  listing: { title: 'Crops on a grid of 1 km', theme: 'Crops' },
  summary:
    'Computes, for each cell of a grid of about 1 km over a tehsil, the hectares with one, two and three crops in a year, from published land cover.',
  keywords: ['crops', 'grid'],
  method: '2',
  request,
  params,
  resolve: async (requested, ports) => {
    const place = await resolvePlaceParams(requested, ports);
    const newest = requested.endYear ?? (await newestYear(place.tehsilId, ports.published));
    const year = newest ?? lastCompleteYear(ports.now());
    // A missing `startYear` is checked as `FIRST_YEAR`, which is valid. So no error names this field if it was not
    // sent.
    checkYears({ startYear: requested.startYear ?? FIRST_YEAR, endYear: year }, ports.now());
    return { ...place, firstYear: requested.startYear ?? year, year };
  },
  examples: placeExamples({}),
  dependsOn: [LAND_COVER],
  otherInputs: async () => NO_OTHER_INPUTS,
  data: [],
  // Only the last year is needed. Its request names all years, so that all layers over these years share one request
  // for land cover.
  needs: (job, { firstYear, year, eoAccountId }) =>
    landCoverNeeds(job, { startYear: firstYear, endYear: year, eoAccountId }).slice(-1),
  run: make,
});

async function newestYear(
  tehsilId: number,
  { layersOf }: Pick<PublishedReads, 'layersOf'>,
): Promise<number | undefined> {
  const layers = await layersOf(tehsilId);
  const years = layers.flatMap(({ workspace, layerName }) => {
    const year = workspace === RASTER_WORKSPACE ? yearOfLayer(layerName) : undefined;
    return year === undefined ? [] : [year];
  });
  return years.length === 0 ? undefined : Math.max(...years);
}

/** File that marks the pixels of the tehsil; removed before publication. */
const INSIDE = 'inside.tif';

/** Hectares by class inside (`by` 1) and outside (`by` 0) of the tehsil. Outside, class 0 does not mean unseen land. */
async function pairsOf(work: LayerWork<Params>, path: string, cells: readonly Zone[]): Promise<ZonalPairs> {
  const { job, ports, files } = work;
  const grid = outputGrid(job.box);
  const raster = await ports.pixels.fromValues({ grid, values: new Uint8Array(grid.cols * grid.rows).fill(1) });
  work.keep([raster]);
  const by = files.path(INSIDE);
  await ports.pixels.writeCog({ raster, grid, clip: job.clip, overviews: 'nearest', path: by }, share(work, [0, 0.2]));
  const pairs = await ports.pixels.zonalPairs({ path, by, zones: cells }, share(work, [0.2, 0.9]));
  await files.remove(INSIDE);
  return pairs;
}

async function make(work: LayerWork<Params>): Promise<RunOutput> {
  const { job, params: resolved } = work;
  const [source] = work.sources;
  if (source === undefined) throw new RangeError('the land cover was not opened');
  const cells = cellsOver(outputGrid(job.box));
  const pairs = await pairsOf(work, source.path, cells);
  const features = cells.flatMap(({ id, geometry }): readonly LayerFeature[] => {
    const crops = cropsOfCell(pairs[id] ?? [], resolved.year);
    if (crops === undefined) return [];
    const properties = { cell_id: id, area_in_ha: sphericalAreaHa(geometry), ...crops };
    return [{ type: 'Feature', properties, geometry: featureGeometry(geometry) }];
  });
  return publishVector(
    {
      workspace: 'crop_grid_layers',
      dataset: 'Crop GridXlulc',
      layerName: (place) => `${place}_grid`,
      about: {
        layer: 'crop_grid_vector',
        title: 'Crop grid',
        description: `One feature per square cell of ${CELL_PIXELS} x ${CELL_PIXELS} pixels of 10 m. A cell is included if it has crops in hydrological year ${resolved.year}, or if less than half of the tehsil's land in it was seen. In the second case its crops are null. Neighbouring tehsils share cells; each layer counts only the land of its own tehsil.`,
        procedure:
          'sums of WGS84 ellipsoidal pixel areas of crop classes 8 to 11; cells start at multiples of their side from 0 E, 0 N.',
        lineage: `Zonal sums of crop classes of the published land cover of ${resolved.year}`,
        keywords: ['crops', 'grid'],
        years: [resolved.year, resolved.year],
      },
      features,
      columns: [
        { name: 'cell_id', type: 'text', description: 'Numbers of cells east and north of 0 E, 0 N, joined by _' },
        { ...MWS_AREA, description: 'Area of the whole cell in hectares, on the authalic sphere' },
        ...cropColumns(resolved.year),
      ],
      geometry: 'The cell, MultiPolygon, longitude and latitude (EPSG:4326)',
      style: equalSteps(
        'cropped_area_in_ha',
        `Cropped area in ${resolved.year}, hectares`,
        features.map(({ properties }) => Number(properties['cropped_area_in_ha'] ?? 0)),
      ),
    },
    work,
  );
}
