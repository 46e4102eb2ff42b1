import { CONFIDENCE_OF_OTHER_YEARS } from '../confidence/agreement.ts';
import { LULC_CLASSES } from '../classes/classes.ts';
import { LULC_METHOD_VERSION, LULC_THRESHOLDS as T } from '../method/thresholds.ts';
import type { QualityCounts } from '../run/rasters.ts';

/** Facts for the description of an Item. */
export interface DescribedFacts {
  readonly placeName: string;
  /** First and last hydrological year of the Item. */
  readonly from: number;
  readonly to: number;
  readonly synthetic: boolean;
  /** True if temporal correction was applied. `runYears`: number of years of the run. */
  readonly corrected: boolean;
  readonly runYears: number;
  readonly counts: QualityCounts;
  /** Number of scenes to read. `missing`: number of scenes whose servers did not respond. */
  readonly scenes: number;
  readonly missing: number;
}

/** Returns the description of a land-cover Item in Markdown. */
export function describe(facts: DescribedFacts, intro: string): string {
  const synthetic = facts.synthetic
    ? '**The scenes are SYNTHETIC: generated, not measured by any satellite. This layer says nothing about a real place.**'
    : '';
  return [
    synthetic,
    intro,
    method(),
    correction(facts),
    counted(facts.counts),
    CONFIDENCE_TEXT,
    missing(facts),
    differences(),
    classes(),
    ACCURACY,
  ]
    .filter((p) => p !== '')
    .join('\n\n');
}

/** First paragraph of a raster's description. */
export const rasterIntro = ({ placeName, from }: DescribedFacts): string =>
  `Land use and land cover of ${placeName} in hydrological year ${from} (1 July ${from} - 30 June ${from + 1}), one class per pixel of about 10 m, EPSG:4326.`;

/** First paragraph of the vector's description. */
export const vectorIntro = ({ placeName, from, to }: DescribedFacts): string =>
  `Area of each land-cover class per micro-watershed (\`uid\`) of ${placeName}, hydrological years ${from} to ${to} (1 July ${from} - 30 June ${to + 1}), in hectares. ` +
  'Class areas are sums of WGS84 ellipsoidal pixel areas, pixels on the boundary weighted by the covered fraction; `area_in_ha` is the spherical area of the polygon (radius 6,371,007.181 m), ' +
  'so the classes and class 0 together differ from it by up to about 0.3 %. `cropland_area_*` is always 0: cropland is split by cropping frequency. ' +
  '`unseen_area_*` is land that too few images show, so it has class 0; the classes of a year are null if less than half of the micro-watershed was seen.';

const method = (): string =>
  `**Method** (version ${LULC_METHOD_VERSION}): Sentinel-2 L2A surface reflectance; pixels are used if the scene classification is ${T.sclKeep.join(', ')}, cloud and shadow are extended by ${T.sclDilate} pixel of 20 m; ` +
  `${T.stepDays}-day medians of NDVI, MNDWI, NDBI and BSI; smoothed and interpolated by Whittaker's penalised least squares (lambda ${T.smoothing}) within the range of the observed values, constant before the first and after the last observation; water by the number of months in each season with a wet MNDWI and a dark near infrared (snow and salt are not water; NDVI under snow is taken from before and after); ` +
  'built-up, barren, tree and shrub by thresholds on the year of NDVI, NDBI and BSI; cropping frequency by counting growth cycles (peaks of the smoothed NDVI by height and prominence); ' +
  'a season longer than one crop with a notch in it, and a low crop on the bare field before or after a tall one, are two crops; a cycle belongs to the year of its peak; a crop whose peak is before mid-November is a kharif crop. ' +
  `Where there is a winter, two peaks with only the winter between them are one cycle, and low values in winter do not count as bare ground. Pixels north of ${T.dormantLatitudes[1]} degrees have a winter and pixels south of ${T.dormantLatitudes[0]} degrees none; between, a pixel has one if its NDVI changes little from December to February, and more change is allowed farther north.`;

function correction({ corrected, runYears }: DescribedFacts): string {
  if (!corrected) {
    return `**Temporal correction** was skipped: it needs ${T.temporalMinYears} consecutive years and this run had ${runYears}. Class 0 was not filled from other years.`;
  }
  return (
    '**Temporal correction** over the years of this run: class 0 is filled from a neighbouring year, then unlikely before-middle-after sequences are corrected ' +
    '(for example tree-crop-tree to tree). The published rules have two interpretations; here the middle year is numbered from the first year of the run (the "tehsil level" interpretation). ' +
    'So if the third year is the middle year, only the built-tree-built rule is applied. This rule also needs built-up two years before and two years after the middle year. ' +
    'The published rule that turns a crop between two years of water into barren ground is left out, because dry tanks are cropped in their beds.'
  );
}

const counted = (c: QualityCounts): string =>
  `**Counts** (pixels, see the quality asset): ${c.computed} computed, ${c.insufficient} left at class 0 because of too few clear observations ` +
  `(fewer than ${T.minClearSteps} 16-day steps), ${c.filled} filled from a neighbouring year, ${c.corrected} changed by temporal correction.`;

const CONFIDENCE_TEXT =
  '**Confidence** (percent, see the confidence asset): the expected share of correct pixels among those with the same class and evidence (distance to the thresholds that decided, peaks, votes of wet steps, longest run without an observation, harvests, the classes of the eight neighbouring pixels, and the classes of the years before and after in runs of three years or more); better evidence never has a lower confidence. ' +
  `It was fitted to simulated settings with published crop calendars and to published accuracies of global maps, not to labels of this place; the confidence is ${CONFIDENCE_OF_OTHER_YEARS} percent if other years decided the class.`;

function missing({ scenes, missing: count }: DescribedFacts): string {
  if (count === 0) return '';
  const [are, their] = count === 1 ? ['is', 'its server'] : ['are', 'their servers'];
  return `**Missing**: ${count} of ${scenes} scenes ${are} missing, because ${their} did not respond (\`headwater:missing_scenes\`); at most ${100 * T.maxMissingShare} % of a year may be missing.`;
}

const differences = (): string =>
  [
    '**How this differs from the land-cover maps made on Earth Engine:**',
    '',
    '| step | Earth Engine map | this layer | effect to expect |',
    '|---|---|---|---|',
    '| reflectance | Sentinel-2 L1C and Landsat, top of atmosphere | Sentinel-2 L2A, surface | vegetation NDVI higher; thresholds are our own |',
    '| monsoon gaps | fit to MODIS | interpolated in time | a kharif peak under cloud can be missed |',
    '| built-up, barren, shrub | Dynamic World labels | index rules | built-up against bare soil is the weakest pair |',
    '| kharif water | Sentinel-1 radar | optical votes | less water found under cloud |',
    '| crop against tree | random forest on radar | NDVI phenology | orchards and sugarcane confused with trees; crops picked over months (cotton, pigeon pea) with deciduous forest |',
    '| cropping frequency | unpublished centroids | counting cycles | class 11 against plantations |',
  ].join('\n');

const classes = (): string =>
  [
    '**Classes:**',
    '',
    ...LULC_CLASSES.filter((c) => c.code !== 5).map((c) => `- ${c.code} ${c.title}: ${c.description}`),
  ].join('\n');

const ACCURACY =
  '**Accuracy** has not been measured on field data of this place. Global 10 m land-cover products reach about 65-77 % on independent samples; expect shrub and barren to be the least reliable.';
