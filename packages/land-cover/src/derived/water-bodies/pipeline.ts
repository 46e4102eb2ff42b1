import { outputGrid, DomainError } from '@headwater/core';
import {
  type LayerAbout,
  type LayerFeature,
  type LayerWork,
  type RunOutput,
  PAPER,
  publishVector,
  type VectorStyle,
  outputOf,
  readClasses,
  share,
  zonesOf,
} from '@headwater/layer-kit';
import type { ScratchRaster } from '@headwater/core/pixel-plan';
import type { WholeOutcome } from '@headwater/core/ports';
import { isObject } from '@headwater/stac';
import type { LulcParams } from '../../request/request.ts';
import { yearsOf } from '../../run/scenes.ts';
import { centroidOf } from '../boundaries/centroid.ts';
import { unseenWithin, yearlyAreas, yearsText } from '../years/yearly-areas.ts';
import { yearsPipeline } from '../years/years-pipeline.ts';
import { bodyColumns, geometryOf, namesOfBody, propertiesOf } from './features.ts';
import { indicatorSheet } from './indicators.ts';
import { annualSheet, type BodyInMws, intersectSheet, seasonAreas } from './sheets.ts';
import { BLOCKS } from '../../run/plan.ts';
import { REGIONS_PER_PLANES } from './block.ts';
import type { WaterBody, WaterFound } from './find-water.ts';

/**
 * Publishes water bodies as polygons, and the sheets `surfaceWaterBodies_annual`, `mws_intersect_swb` and
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
  method: '3',
  run: make,
});

async function make(work: LayerWork<LulcParams>): Promise<RunOutput> {
  const { job, params } = work;
  const years = yearsOf(params);
  const { bodies, parts, unseen } = await waterInMws(work);
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
        annualSheet(uids, { areas, everHa, unseen }),
        intersectSheet(pairs),
        indicatorSheet(
          uids.map((uid) => ({ uid, years: seasonAreas(uid, { areas, unseen }), everHa: everHa.get(uid) ?? 0 })),
          yearsText(params),
        ),
      ],
    },
    work,
  );
}

const STYLE: VectorStyle = {
  attribute: 'area_ored',
  title: 'Area of the water body, hectares',
  // The upper limit of the last bin, 100,000 hectares, is above the area of any water body.
  limits: [0, 0.05, 0.1, 0.5, 1e5],
  labels: ['0 - 0.05', '0.05 - 0.1', '0.1 - 0.5', '0.5 and more'],
  colors: ['#9ecae1', '#6baed6', '#3182bd', '#08519c'],
};

const aboutOf = ({ startYear, endYear }: LulcParams): LayerAbout => ({
  layer: 'surface_water_bodies_vector',
  title: 'Surface water bodies',
  description:
    `One feature per water body: pixels that had water in any hydrological year from ${startYear} to ${endYear}, joined by sides or corners. ` +
    'Parts that share only a corner are polygons of one feature. The percentages by season are cumulative: water until zaid also counts in rabi and kharif. ' +
    'They are shares of the part of `area_ored` that was seen in the year; `unseen_area_*` is the other part, and figures of a year are null if less than half of the body was seen.',
  procedure:
    'land-cover classes 2 to 4 of the published yearly rasters, including the last year (the maps made on Earth Engine omit it). ' +
    'All areas are on the WGS84 ellipsoid, as in the sheets (the maps made on Earth Engine count 100 m2 for each pixel).',
  lineage: 'Connected regions of water classes over the published yearly land-cover rasters',
  keywords: ['surface water', 'water bodies'],
  years: [startYear, endYear],
});

/** Hectares of each body (by index) within each micro-watershed (by uid). */
type WaterInMws = readonly ReadonlyMap<string, number>[];

/**
 * Hectares that have no class in a year, by this year and uid. Only land that has water in at least one of the years
 * counts.
 */
type Unseen = Map<number, Map<string, number>>;

async function waterInMws(
  work: LayerWork<LulcParams>,
): Promise<{ readonly bodies: readonly WaterBody[]; readonly parts: WaterInMws; readonly unseen: Unseen }> {
  const labels = await readClasses(work.sources, work, [0, 0.3]);
  const first = await planes(work, labels, 0);
  const { bodies } = waterFound(first);
  const parts = bodies.map(() => new Map<string, number>());
  const unseen: Unseen = new Map();
  let outcome = first;
  for (let from = 0; from < bodies.length; from += REGIONS_PER_PLANES) {
    if (from > 0) outcome = await planes(work, labels, from);
    await addParts(work, { outcome, from, parts, unseen });
  }
  return { bodies, parts, unseen };
}

async function planes(
  work: LayerWork<LulcParams>,
  labels: readonly ScratchRaster[],
  from: number,
): Promise<WholeOutcome> {
  const outcome = await work.ports.pixels.whole(
    {
      kind: 'whole',
      grid: outputGrid(work.job.box),
      inputs: Object.fromEntries(labels.map((raster, index) => [`labels_${index}`, raster])),
      block: { module: BLOCKS, export: 'waterBlock', params: { from } },
      outputs: [{ name: 'low' }, { name: 'high' }],
    },
    share(work, [0.3, 0.5]),
  );
  work.keep(Object.values(outcome.outputs));
  return outcome;
}

function waterFound({ value }: WholeOutcome): WaterFound {
  if (!isWaterFound(value))
    throw new DomainError('internal', 'The worker that finds water bodies returned a value of an unexpected form.');
  return value;
}

const isWaterFound = (value: unknown): value is WaterFound => isObject(value) && Array.isArray(value['bodies']);

interface Parts {
  readonly outcome: WholeOutcome;
  readonly from: number;
  readonly parts: readonly Map<string, number>[];
  readonly unseen: Unseen;
}

async function addParts(work: LayerWork<LulcParams>, { outcome, from, parts, unseen }: Parts): Promise<void> {
  const { job, ports, files } = work;
  const nameOf = (name: 'low' | 'high'): string => `water_${name}_${from}.tif`;
  const write = async (name: 'low' | 'high'): Promise<string> => {
    const path = files.path(nameOf(name));
    const raster = outputOf(outcome.outputs, name);
    const request = { raster, grid: outputGrid(job.box), clip: job.clip, overviews: 'nearest', path } as const;
    await ports.pixels.writeCog(request, share(work, [0.5, 0.6]));
    return path;
  };
  const [path, by] = [await write('low'), await write('high')];
  const zones = await ports.pixels.zonalPairs({ path, by, zones: zonesOf(work) }, share(work, [0.6, 0.65]));
  // `waterBlock` sets `low` above 0 only at the pixels of the bodies of this pass, so `low` is also their mask.
  addUnseen(unseen, await unseenWithin(work, path, [0.65, 0.75]));
  await Promise.all([files.remove(nameOf('low')), files.remove(nameOf('high'))]);
  for (const [uid, pairs] of Object.entries(zones)) {
    for (const { by: high, value: low, areaHa } of pairs) {
      if (high > 0 && low > 0) parts[from + (high - 1) * 255 + low - 1]?.set(uid, areaHa);
    }
  }
}

function addUnseen(unseen: Unseen, found: ReadonlyMap<number, ReadonlyMap<string, number>>): void {
  for (const [year, zones] of found) {
    const sums = unseen.get(year) ?? new Map<string, number>();
    for (const [uid, areaHa] of zones) sums.set(uid, (sums.get(uid) ?? 0) + areaHa);
    unseen.set(year, sums);
  }
}
