import { type PublishedSeries, sphericalAreaHa } from '@headwater/core';
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
} from '@headwater/layer-kit';
import type { LulcParams } from '../../request/request.ts';
import { inputsOf } from '../../run/inputs.ts';
import { yearsOf } from '../../run/scenes.ts';
import { findScenes } from '../../run/scenes.ts';
import { LULC_SETTINGS, type LulcSettings } from '../../run/year-scenes.ts';
import { yearsPipeline } from '../years/years-pipeline.ts';
import { COVERS } from './means.ts';
import { fortnightsOf } from './block.ts';
import { addYear, type CoverMeans } from './means.ts';

type Cover = (typeof COVERS)[number];

/** Creates the pipeline of NDVI by fortnight over crops, shrub and trees of each micro-watershed: three layers and three series. */
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
  // The middle of October, when the kharif crop is standing and clouds are rare.
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
        description: `Mean NDVI of ${title} per micro-watershed (\`uid\`) and fortnight, hydrological years ${params.startYear} to ${params.endYear}: a column per date, the first day of the fortnight. Null if no such pixel was observed.`,
        procedure:
          'medians of NDVI of Sentinel-2 L2A over each fortnight from 1 July on (the last of a year has one or two days), clear pixels as for land cover, gaps not filled; ' +
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
