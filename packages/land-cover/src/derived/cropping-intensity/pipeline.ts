import { featureGeometry, fileName, outputGrid, type Rgba, sphericalAreaHa, type TableColumn } from '@headwater/core';
import { trendOf } from '@headwater/indicators';
import {
  equalSteps,
  fileAsset,
  type LayerAbout,
  type LayerFeature,
  layerItemId,
  type LayerWork,
  type RunOutput,
  MWS_UID,
  outputOf,
  publishVector,
  readClasses,
  share,
  type Sheet,
  zonesOf,
} from '@headwater/layer-kit';
import { MEDIA } from '@headwater/stac';
import type { LulcParams } from '../../request/request.ts';
import { yearsOf } from '../../run/scenes.ts';
import { BLOCKS } from '../../run/plan.ts';
import { unseenWithin, yearsText, yearlyAreas } from '../years/yearly-areas.ts';
import { yearsPipeline } from '../years/years-pipeline.ts';
import { type CropHistory, layerCells, rowOf, sheetCells } from './columns.ts';
import {
  type CropAreas,
  croppingIntensity,
  type CropYear,
  cropYearOf,
  intensityWithoutClass11,
  seenCropable,
  singleArea,
} from './intensity.ts';

/** Crop indicators of a micro-watershed, with the names of the published record. */
export interface CropIndicators {
  /** Text as in the published record: '1' rises, '-1' falls, '0' not significant (`trendOf`). */
  readonly cropping_intensity_trend: '1' | '0' | '-1';
  /** Mean over the years in which at least half of the cropable land was seen. */
  readonly cropping_intensity_avg: number | null;
  readonly cropping_intensity_without_class_11_avg: number | null;
  /** Means over the same years as `cropping_intensity_avg`, percent of the seen cropable land. */
  readonly avg_single_cropped: number | null;
  readonly avg_double_cropped: number | null;
  readonly avg_triple_cropped: number | null;
  /** Number of years without enough seen land, which the means and the trend leave out. */
  readonly unseen_years: number;
}

/** Computes the indicators. `years`: oldest first. The means are null if no year has enough seen cropland. */
export function cropIndicators(years: readonly CropYear[], cropableEver: number): CropIndicators {
  const intensities = years.map((areas) => croppingIntensity(areas, cropableEver));
  const percent = (part: (areas: CropAreas) => number): number | null =>
    mean(
      years.map((areas) => {
        const seen = seenCropable(areas, cropableEver);
        return seen === null ? null : (100 * part(areas)) / seen;
      }),
    );
  return {
    cropping_intensity_trend: trendOf(intensities),
    cropping_intensity_avg: mean(intensities),
    cropping_intensity_without_class_11_avg: mean(years.map((areas) => intensityWithoutClass11(areas, cropableEver))),
    avg_single_cropped: percent(singleArea),
    avg_double_cropped: percent(({ double }) => double),
    avg_triple_cropped: percent(({ triple }) => triple),
    unseen_years: cropableEver === 0 ? 0 : intensities.filter((intensity) => intensity === null).length,
  };
}

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

const ITEM = 'cropping_intensity_vector';
const EVER: Rgba = [35, 139, 69, 255];

/**
 * Publishes crops per year of each micro-watershed, the sheet `croppingIntensity_annual` and the indicators
 * `kyl_cropping_intensity`.
 */
export const croppingIntensityPipeline = yearsPipeline({
  name: 'generate_ci_layer',
  messages: { initiated: 'Cropping Intensity task initiated' },
  listing: { title: 'Cropping intensity', theme: 'Crops' },
  summary: 'Computes the number of crops per year on land with a crop in any year, by micro-watershed.',
  keywords: ['cropping intensity'],
  data: ['croppingIntensity_annual', 'kyl_cropping_intensity'],
  method: '2',
  run: make,
});

async function make(work: LayerWork<LulcParams>): Promise<RunOutput> {
  const { job, ports } = work;
  const years = yearsOf(work.params);
  const ever = await everCropped(work);
  const areas = await yearlyAreas(work, [0.6, 0.8]);
  const unseen = await unseenWithin(work, ever.path, [0.8, 0.95]);
  const histories = job.mws.map(({ uid, geometry }): CropHistory => ({
    uid,
    areaHa: sphericalAreaHa(geometry),
    cropableEver: ever.hectares[uid]?.[1] ?? 0,
    years: new Map(years.map((year) => [year, cropYearOf(areas.get(year)?.[uid], unseen.get(year)?.get(uid))])),
  }));
  const cells = layerCells(years);
  const features = job.mws.map(({ geometry }, i): LayerFeature => {
    const history = histories[i];
    const properties = history === undefined ? {} : rowOf(cells, history);
    return { type: 'Feature', properties: propertiesOf(properties), geometry: featureGeometry(geometry) };
  });
  const last = work.params.endYear;
  return publishVector(
    {
      workspace: 'crop_intensity',
      dataset: 'Cropping Intensity',
      layerName: (place) => `${place}_intensity`,
      about: aboutOf(work.params),
      features,
      columns: cells.map(({ column }) => column),
      geometry: 'Boundary of the micro-watershed, MultiPolygon, longitude and latitude (EPSG:4326)',
      style: equalSteps(
        `cropping_intensity_${last}`,
        `Cropping intensity in ${last}`,
        histories.map((each) => croppingIntensity(each.years.get(last) ?? cropYearOf(undefined), each.cropableEver)),
      ),
      others: {
        cropable: {
          ...fileAsset(ports, ever.file, 'Land that is cropped in any year: 1 if a year has a crop class, otherwise 0'),
          type: MEDIA.cog,
          roles: ['metadata'],
        },
      },
      tables: tablesOf(histories, work.params),
    },
    work,
  );
}

async function everCropped(work: LayerWork<LulcParams>) {
  const { job, ports, files, keep } = work;
  const zones = zonesOf(work);
  const grid = outputGrid(job.box);
  const read = await readClasses(work.sources, work, [0, 0.4]);
  const combined = await ports.pixels.combine(
    {
      kind: 'combine',
      grid,
      inputs: Object.fromEntries(read.map((raster, i) => [`labels_${i}`, raster])),
      block: { module: BLOCKS, export: 'everCroppedBlock', params: {} },
      outputs: [{ name: 'ever' }],
    },
    share(work, [0.4, 0.5]),
  );
  keep(Object.values(combined));
  const name = `${fileName(layerItemId(ITEM, job.slugs))}_cropable.tif`;
  const cog = await ports.pixels.writeCog(
    {
      raster: outputOf(combined, 'ever'),
      grid,
      clip: job.clip,
      palette: { 1: EVER },
      names: { 0: 'Never cropped', 1: 'Cropped in some year' },
      path: files.path(name),
    },
    share(work, [0.5, 0.55]),
  );
  const hectares = await ports.pixels.zonal({ path: cog.path, zones }, share(work, [0.55, 0.6]));
  return { hectares, path: cog.path, file: await files.stat(name) };
}

function propertiesOf(row: ReturnType<typeof rowOf>): LayerFeature['properties'] {
  return Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [
      name,
      typeof cell === 'object' || typeof cell === 'boolean' ? null : cell,
    ]),
  );
}

const aboutOf = ({ startYear, endYear }: LulcParams): LayerAbout => ({
  layer: ITEM,
  title: 'Cropping intensity per micro-watershed',
  description:
    `Crops per year on land that is cropped in at least one of the hydrological years ${startYear} to ${endYear}, for each of these years and each micro-watershed (\`uid\`), and the hectares from which this number is computed. ` +
    'Land that was not seen in a year is in no figure of this year: `unseen_area` and `unseen_cropable_area` are its hectares, in the whole micro-watershed and in the land that is cropped in any year. ' +
    'Crops per year are null if no land was ever cropped. All figures of crops of a year are null if less than half of the land that was ever cropped (without such land: of the micro-watershed) was seen in this year.',
  procedure:
    '`cropping_intensity` = (single + 2 x double + 3 x triple) / total, single = kharif + non-kharif; total = the area with a crop class (8 to 11) in any year of the request, without the part that has no class in this year. ' +
    '`cropping_intensity_without_class_11` = (single + 2 x double) / (total - triple): class 11 has weight 3, but also contains annual and perennial crops. ' +
    'Areas are sums of WGS84 ellipsoidal pixel areas, pixels on the boundary weighted by the covered fraction; `area_in_ha` is spherical.',
  lineage: 'Zonal sums of crop classes over the published yearly land-cover rasters',
  keywords: ['cropping intensity', 'cropping'],
  years: [startYear, endYear],
});

const SEEN = 'the years in which at least half of the land that was ever cropped was seen';

const indicatorColumns = (years: string): readonly TableColumn[] => [
  {
    name: 'cropping_intensity_trend',
    type: 'text',
    description: `1 = rises, -1 = falls, 0 = not significant (Mann-Kendall, 5 %, over ${SEEN}); ${years}`,
  },
  { name: 'cropping_intensity_avg', type: 'number', description: `Mean cropping intensity of ${SEEN}; ${years}` },
  {
    name: 'cropping_intensity_without_class_11_avg',
    type: 'number',
    description: `Mean cropping intensity without land of class 11, of ${SEEN}; ${years}`,
  },
  ...['single', 'double', 'triple'].map((times): TableColumn => ({
    name: `avg_${times}_cropped`,
    type: 'number',
    unit: '%',
    description: `Land with ${times} cropping, in percent of the seen land that was ever cropped; mean over ${SEEN}; ${years}`,
  })),
  {
    name: 'unseen_years',
    type: 'integer',
    description: `Number of years without figures. A year has no figures if less than half of the land that was ever cropped was seen in it; ${years}`,
  },
];

function tablesOf(histories: readonly CropHistory[], params: LulcParams): readonly Sheet[] {
  const cells = sheetCells(yearsOf(params));
  return [
    {
      name: 'croppingIntensity_annual',
      key: MWS_UID.name,
      columns: cells.map(({ column }) => column),
      rows: histories.map((history) => rowOf(cells, history)),
    },
    {
      name: 'kyl_cropping_intensity',
      key: MWS_UID.name,
      columns: [MWS_UID, ...indicatorColumns(yearsText(params))],
      rows: histories.map(({ uid, years, cropableEver }) => ({
        uid,
        ...cropIndicators([...years.values()], cropableEver),
      })),
    },
  ];
}
