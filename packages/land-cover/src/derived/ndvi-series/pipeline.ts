import { type ComputedPlace, loadPlace, type PublishedSeries, sphericalAreaHa } from '@headwater/core';
import {
  equalSteps,
  type FeatureRow,
  type LayerWork,
  type RunOutput,
  joinOutputs,
  MWS_AREA,
  MWS_UID,
  publishMws,
  zonesOf,
  outputOf,
  share,
} from '@headwater/layer-kit';
import { INDEX_NODATA, type PixelPlan } from '@headwater/core/pixel-plan';
import type { LulcParams } from '../../request/request.ts';
import { inputsOf } from '../../run/inputs.ts';
import { yearsOf, findScenes } from '../../run/scenes.ts';
import { LULC_SETTINGS, type LulcSettings, type YearScenes } from '../../run/year-scenes.ts';
import { yearsPipeline } from '../years/years-pipeline.ts';
import { fortnightsOf, LAST_FORTNIGHT, stepName } from './block.ts';
import { BLOCKS, scenesPlan } from '../../run/plan.ts';
import { workGrid } from '../../run/work-grid.ts';
import { NDVI } from '../../series/series.ts';
import { CROP_CODES } from '../cropping-intensity/intensity.ts';

type Cover = (typeof COVERS)[number];

/** Creates the pipeline of NDVI by fortnight over crops, shrub and trees of each micro-watershed. */
export function createNdviSeriesPipeline(change: Partial<LulcSettings> = {}) {
  const settings = { ...LULC_SETTINGS, ...change };
  return yearsPipeline({
    name: 'generate_ndvi_timeseries',
    messages: { initiated: 'Successfully initiated generate_ndvi_timeseries' },
    listing: {
      title: 'Vegetation index (NDVI) by fortnight',
      theme: 'Vegetation',
      sources: ['Satellite images (Sentinel-2)'],
    },
    summary: 'Computes the mean NDVI of crops, shrub and trees by micro-watershed and fortnight.',
    keywords: ['NDVI', 'time series'],
    data: COVERS.map(({ name }) => seriesName(name)),
    method: `2/${settings.maxCloudCover}`,
    otherInputs: async (job, params, tools) => {
      const years = { ...job, years: yearsOf(params) };
      return inputsOf(years, await findScenes(years, { ...tools, settings }));
    },
    plans: async (params, ports, signal) => {
      const job = { ...(await loadPlace(params.tehsilId, ports)), years: yearsOf(params) };
      const context = { signal, log: () => {}, progress: () => {} };
      const found = await findScenes(job, { ports, context, settings });
      return found.map((year) => ndviPlan(job, year));
    },
    run: (work) => make(work, settings),
  });
}

async function make(work: LayerWork<LulcParams>, settings: LulcSettings): Promise<RunOutput> {
  zonesOf(work);
  const { job, params } = work;
  const years = yearsOf(params);
  const found = await findScenes({ ...job, years }, { ...work, settings });
  const of = (): Map<string, (number | null)[]> => new Map(job.mws.map(({ uid }) => [uid, []]));
  const means: CoverMeans = { crop: of(), shrub: of(), tree: of() };
  let isComplete = true;
  for (const [index, year] of found.entries()) {
    const path = work.sources[index]?.path;
    if (path === undefined) throw new RangeError(`no land cover was opened for ${year.year}`);
    const part = [(0.95 * index) / found.length, (0.95 * (index + 1)) / found.length] as const;
    if (!(await addYear(work, { found: year, means, path, part }))) isComplete = false;
  }
  const dates = years.flatMap((year) => fortnightsOf(year).map(({ start }) => start));
  const layers: RunOutput[] = [];
  for (const cover of COVERS) layers.push(await layerOf(cover, { means, dates, work }));
  return {
    ...joinOutputs(layers),
    series: COVERS.map((cover) => seriesOf(cover, { means, dates, work })),
    isWhole: isComplete,
  };
}

interface Results {
  readonly means: CoverMeans;
  readonly dates: readonly string[];
  readonly work: LayerWork<LulcParams>;
}

const seriesName = (name: Cover['name']): string => `ndvi_${name}`;

const seriesOf = ({ name, title }: Cover, { means, dates, work }: Results): PublishedSeries => ({
  name: seriesName(name),
  tehsilId: work.job.place.tehsil.id,
  description: `Mean NDVI of ${title}, -1 to 1; each date is the first day of a fortnight`,
  dates,
  values: Object.fromEntries(means[name]),
});

function layerOf({ name, title }: Cover, { means, dates, work }: Results): Promise<RunOutput> {
  const { job, params } = work;
  // The preview shows the middle of October: the kharif crop is standing, and clouds are rare.
  const shown = fortnightsOf(params.endYear)[7]?.start ?? '';
  const at = dates.indexOf(shown);
  const rows = job.mws.map(({ uid, geometry }): FeatureRow => {
    const values = means[name].get(uid) ?? [];
    const series = dates.map((date, i) => [date, values[i] ?? null] as const);
    return { uid, area_in_ha: sphericalAreaHa(geometry), ...Object.fromEntries(series) };
  });
  return publishMws(
    {
      workspace: 'ndvi_timeseries',
      dataset: 'NDVI Timeseries',
      layerName: (place) => `ndvi_timeseries_${place}_${name}`,
      about: {
        layer: `ndvi_timeseries_${name}_vector`,
        title: `NDVI of ${title} per micro-watershed`,
        description: `Mean NDVI of ${title} per micro-watershed (\`uid\`) and fortnight, hydrological years ${params.startYear} to ${params.endYear}: one column per fortnight, named after its first day. Null if no pixel of ${title} was observed.`,
        procedure:
          `medians of NDVI of Sentinel-2 L2A over each fortnight from 1 July on (${LAST_FORTNIGHT}), clear pixels as for land cover, gaps not filled; ` +
          `means over the pixels that are ${title} in the published land cover of the year, weighted by area.`,
        lineage: 'Fortnightly medians of Sentinel-2 L2A averaged by published land cover',
        keywords: ['NDVI', 'time series'],
        years: [params.startYear, params.endYear],
      },
      rows,
      columns: [
        MWS_UID,
        MWS_AREA,
        ...dates.map((date) => ({
          name: date,
          type: 'number' as const,
          description: `Mean NDVI of ${title}, fortnight from ${date}, -1 to 1`,
        })),
      ],
      geometry: 'Boundary of the micro-watershed, MultiPolygon, longitude and latitude (EPSG:4326)',
      style: equalSteps(
        shown,
        `NDVI of ${title}, fortnight from ${shown}`,
        job.mws.map(({ uid }) => means[name].get(uid)?.[at] ?? null),
      ),
    },
    work,
  );
}

const COVERS = [
  { name: 'crop', title: 'crops', codes: CROP_CODES },
  { name: 'shrub', title: 'shrub', codes: [12] },
  { name: 'tree', title: 'trees', codes: [6] },
] as const;

type CoverName = (typeof COVERS)[number]['name'];

/** Means by cover and uid, one per fortnight of all years; null if no pixel of the cover was observed. */
type CoverMeans = Readonly<Record<CoverName, Map<string, (number | null)[]>>>;

const SCALE = 10_000;

function ndviPlan(job: ComputedPlace, { year, scenes }: YearScenes): PixelPlan {
  const steps = fortnightsOf(year);
  return {
    ...scenesPlan(job, workGrid(scenes, job.box), scenes),
    steps,
    core: [0, steps.length],
    indices: [{ name: 'ndvi', formula: NDVI, from: 0, to: steps.length }],
    block: { module: BLOCKS, export: 'ndviBlock', params: {} },
    outputs: steps.map((_, step) => ({ name: stepName(step), type: 'int16' })),
  };
}

/** Appends the means of a year. Returns false if scenes are missing because their servers did not respond. */
async function addYear(work: LayerWork<LulcParams>, { found, means, path, part }: YearOfMeans): Promise<boolean> {
  const { ports } = work;
  const [from, to] = part;
  const middle = from + 0.9 * (to - from);
  const steps = fortnightsOf(found.year);
  const outcome = await ports.pixels.execute(ndviPlan(work.job, found), share(work, [from, middle]));
  work.keep(Object.values(outcome.outputs));
  const rasters = steps.map((_, step) => outputOf(outcome.outputs, stepName(step)));
  const groups = Object.fromEntries(COVERS.map(({ name, codes }) => [name, codes]));
  const request = { path, zones: zonesOf(work), rasters, groups, nodata: INDEX_NODATA };
  const zones = await ports.pixels.zonalMeans(request, share(work, [middle, to]));
  for (const { name } of COVERS) {
    for (const { uid } of work.job.mws) {
      const scaled = zones[uid]?.[name] ?? steps.map(() => null);
      means[name].get(uid)?.push(...scaled.map((mean) => (mean === null ? null : mean / SCALE)));
    }
  }
  // Planes are released after each year, because otherwise the planes of all years would fill the disk.
  await ports.pixels.release(rasters);
  return (outcome.unavailable ?? []).length === 0;
}

interface YearOfMeans {
  readonly found: YearScenes;
  readonly means: CoverMeans;
  readonly path: string;
  readonly part: readonly [number, number];
}
