import { outputGrid } from '@headwater/core';
import {
  type LayerAbout,
  type LayerFeature,
  type LayerWork,
  type RunOutput,
  PAPER,
  publishVector,
  type VectorStyle,
} from '@headwater/layer-kit';
import type { LulcParams } from '../../request/request.ts';
import { yearsOf } from '../../run/scenes.ts';
import { centroidOf } from '../boundaries/centroid.ts';
import { yearlyAreas, yearsText } from '../years/yearly-areas.ts';
import { yearsPipeline } from '../years/years-pipeline.ts';
import { bodyColumns, geometryOf, namesOfBody, propertiesOf } from './features.ts';
import { indicatorSheet } from './indicators.ts';
import { annualSheet, type BodyInMws, intersectSheet, seasonAreas } from './sheets.ts';
import { waterInMws } from './water-in-mws.ts';

/**
 * Publishes water bodies as polygons with their seasons, and the sheets `surfaceWaterBodies_annual`, `mws_intersect_swb` and
 * `kyl_surface_water`.
 */
export const waterBodiesPipeline = yearsPipeline({
  name: 'generate_swb',
  messages: { initiated: 'Generate swb task initiated' },
  listing: { title: 'Water bodies by season', theme: 'Water' },
  summary:
    'Computes the water bodies of a tehsil as polygons, with the share of each body that has water, by season and year.',
  keywords: ['surface water'],
  data: ['surfaceWaterBodies_annual', 'mws_intersect_swb', 'kyl_surface_water'],
  method: '2',
  run: make,
});

async function make(work: LayerWork<LulcParams>): Promise<RunOutput> {
  const { job, params } = work;
  const years = yearsOf(params);
  const { bodies, parts } = await waterInMws(work);
  const areas = await yearlyAreas(work, [0.75, 0.9]);
  const grid = outputGrid(job.box);
  const pairs: BodyInMws[] = [];
  const everHa = new Map<string, number>();
  const features = bodies.map((body, index): LayerFeature => {
    const within = parts[index] ?? new Map<string, number>();
    const names = namesOfBody([...within.keys()], index + 1);
    const geometry = geometryOf(body, grid);
    const [longitude, latitude] = centroidOf(geometry);
    for (const [uid, areaHa] of within) {
      pairs.push({ uid, bodyUid: names.uid, latitude, longitude, areaHa });
      everHa.set(uid, (everHa.get(uid) ?? 0) + areaHa);
    }
    return { type: 'Feature', properties: propertiesOf(body, names, years), geometry };
  });
  const uids = job.mws.map(({ uid }) => uid);
  return publishVector(
    {
      workspace: 'swb',
      dataset: 'Surface Water Bodies',
      layerName: (place) => `surface_waterbodies_${place}`,
      about: aboutOf(params),
      features,
      columns: bodyColumns(years),
      geometry: 'Outline of the water body along edges of pixels, MultiPolygon, longitude and latitude (EPSG:4326)',
      style: STYLE,
      ground: { outlines: job.clip.slice(0, 1), color: PAPER },
      tables: [
        annualSheet(uids, { areas, everHa }),
        intersectSheet(pairs),
        indicatorSheet(
          uids.map((uid) => ({ uid, years: seasonAreas(uid, areas), everHa: everHa.get(uid) ?? 0 })),
          yearsText(params),
        ),
      ],
    },
    work,
  );
}

/** Style with steps at the limits of the bins, in hectares. */
const STYLE: VectorStyle = {
  attribute: 'area_ored',
  title: 'Area of the water body, hectares',
  // The last limit is larger than the area of any water body.
  limits: [0, 0.05, 0.1, 0.5, 1e5],
  labels: ['0 - 0.05', '0.05 - 0.1', '0.1 - 0.5', '0.5 and more'],
  colors: ['#9ecae1', '#6baed6', '#3182bd', '#08519c'],
};

const aboutOf = ({ startYear, endYear }: LulcParams): LayerAbout => ({
  layer: 'surface_water_bodies_vector',
  title: 'Surface water bodies',
  description:
    `One feature per water body: pixels that had water in any hydrological year from ${startYear} to ${endYear}, joined by sides or corners. ` +
    'Parts that share only a corner are polygons of one feature. The percentages of `area_ored` by season are cumulative: water until zaid also counts in rabi and kharif.',
  procedure:
    'land-cover classes 2 to 4 of the published yearly rasters, including the last year (the maps made on Earth Engine omit it). ' +
    '`area_ored` and `area_*` count pixels of 100 m2, as in the published layer; the sheets have areas on the ellipsoid.',
  lineage: 'Connected regions of water classes over the published yearly land-cover rasters',
  keywords: ['surface water', 'water bodies'],
  years: [startYear, endYear],
});
