/** Version of the land-cover method; it is increased when a rule of the method or a number of this file changes. */
export const LULC_METHOD_VERSION = '1.4.3';

/**
 * All numbers of the land-cover classifier, each with unit and reason. Indices are ratios in -1..1 of surface reflectance (Sentinel-2 L2A).
 * Sources: published spectral behaviour of soils, roofs, water and crops; the public phenology rules that the Item's description names.
 */
export const LULC_THRESHOLDS = {
  /** Length of a composite step, days; `coreSteps`: steps of a year. */
  stepDays: 16,
  coreSteps: 23,
  /**
   * Number of steps that are read before the year, and also after the year (64 days each), so that a crop that grows across 1 July or 30 June is
   * observed completely.
   */
  marginSteps: 4,

  /**
   * Codes of the scene classification that count as clear: vegetation, bare, water, unclassified, snow. The code of snow is kept because it includes
   * bright salt and sand; real snow is removed by `snowMinNdsi`.
   */
  sclKeep: [4, 5, 6, 7, 11],
  /**
   * Codes of cloud shadow, clouds of medium and high probability, and cirrus. The classification misses the edges of clouds, so the areas with these
   * codes are extended.
   */
  sclGrow: [3, 8, 9, 10],
  /**
   * Number of pixels of 20 m by which areas of cloud and shadow are extended (each by a window of 3 x 3): 20 m is the
   * usual width of a missed cloud edge.
   */
  sclDilate: 1,

  /**
   * Minimum number of clear 16-day steps. A pixel with fewer clear steps gets class 0 and quality 2. The minimum is three, because a season needs at
   * least a start, a peak and an end.
   */
  minClearSteps: 3,
  /**
   * Stiffness of the Whittaker smoother (lambda of Eilers) for steps of 16 days. Waves of 128 days (a crop) keep 0.92 of their height, waves of two
   * steps (noise) only 0.2. Ten times this value, which is usual for daily series, would flatten the gap between two crops.
   */
  smoothing: 0.25,

  /**
   * If a single step is lower than both neighbours by this difference, the step is interpolated, because its value comes from an undetected cloud or
   * shadow and not from a harvest.
   */
  despikeDrop: 0.2,
  /**
   * A single step between neighbours of nearly the same value is interpolated already if it is lower than both neighbours by this smaller difference
   * and the neighbours differ by less than the depth of the step. Low values between two crops are not interpolated, because they last for weeks,
   * from the sowing to a closed canopy, and the values before and after them differ more.
   */
  notchDrop: 0.12,
  /**
   * In a year with plant growth, a step below this NDVI counts as cloud, snow or flood and is interpolated. The NDVI of
   * soils is above 0.04 (0.2 on average; Montandon and Small 2008, RSE 112:1835). The NDVI of snow, thick cloud and
   * standing water is below this value.
   */
  noGroundNdvi: 0.03,

  /** Condition of a wet step: MNDWI is above this value. Open water is above 0.1 even if it is turbid; wet soil is below this value. */
  waterMinMndwi: 0.05,
  /**
   * Water has a lower reflectance than this value in the near infrared. Snow, salt and sand have a higher reflectance. Very silty water reaches 0.15
   * (Doxaran et al. 2002, RSE 81:149). MODIS separates snow from water at 0.11 (Hall et al. 1995, RSE 54:127), Sen2Cor at 0.15-0.35.
   */
  waterMaxNir: 0.2,
  /**
   * Bright ground with an MNDWI (= NDSI) above this value is snow. The value is the lower limit of Sen2Cor's snow filter. Soil and plants are
   * below -0.1.
   */
  snowMinNdsi: 0.2,
  /** If bright ground has an MNDWI like water in at least this share of its clear steps, it is salt or lasting snow, not a roof. */
  whiteMinShare: 0.5,
  /** Condition of a wet step: NDVI is below this value, so that flooded young rice and weeds do not count as water. */
  waterMaxNdvi: 0.2,
  /** Minimum number of clear and wet months in a season of four months. */
  waterMinMonths: 2,
  /**
   * A season with only one clear month is wet if the MNDWI of this month is above this value. One month is accepted because clouds may hide the other
   * months of the monsoon.
   */
  waterSingleMonthMndwi: 0.25,
  /** The clear steps of a wet season have at most this NDVI. This condition excludes a flooded paddy, whose NDVI later rises above this value. */
  waterSeasonMaxNdvi: 0.4,
  /**
   * If a season is wet for at most `paddyMaxWetSteps` steps (64 days), NDVI must also remain below `waterSeasonMaxNdvi` in the next
   * `paddyGreenSteps` steps (64 days); otherwise the pixel is a paddy. A paddy is flooded before planting, and its canopy is half closed 40 days
   * later (Xiao et al. 2005, RSE 95:480).
   */
  paddyMaxWetSteps: 4,
  paddyGreenSteps: 4,

  /**
   * Condition of built-up land: the highest NDVI of the year is below this value. Gardens and road trees stay below this value; scrub and crops
   * exceed it.
   */
  builtMaxNdvi: 0.36,
  /** Built-up: the amplitude of NDVI is below this value, because roofs have no season. */
  builtMaxAmplitude: 0.2,
  /** Built-up: mean NDBI is above this value. */
  builtMinNdbi: -0.1,
  /**
   * Built-up: mean BSI is below this value. BSI distinguishes roofs and concrete, which are bright in blue, from bare soil and rock, whose
   * reflectance rises continuously up to the short-wave infrared.
   */
  builtMaxBsi: 0.125,
  /**
   * Built-up: BSI of the ground without leaves is below this value. Leaves over the ground reduce BSI and raise NDVI along a nearly straight mixing
   * line: BSI falls by `groundBsiPerNdvi` per unit of NDVI above `groundNdvi`, the NDVI of bare ground. Without this condition, scrub on bright sand
   * would count as a roof.
   */
  builtMaxGroundBsi: 0.17,
  groundBsiPerNdvi: 0.6,
  groundNdvi: 0.12,

  /**
   * Built-up with trees in between (mixed pixels): max NDVI and amplitude are below these values. Tree crowns over a third of a pixel raise NDVI to
   * 0.4-0.5 with an amplitude of 0.1-0.25; a crop has a larger amplitude of NDVI.
   */
  townMaxNdvi: 0.55,
  townMaxAmplitude: 0.3,
  /**
   * Built-up with trees: mean MNDWI is above this value. Roofs and roads are nearly as bright in visible light as at
   * 1.6 um. Soils (wet or dry) and leaves are much darker in visible light. The built-up land features extraction
   * index, BLFEI, uses the same difference (ESA SNAP, optical toolbox).
   */
  townMinMndwi: -0.35,
  /** Built-up with trees: mean NDBI is above this value; roofs with one third of their area under tree crowns have -0.15. */
  townMinNdbi: -0.25,
  /** Built-up with trees: third highest BSI is below this value; the BSI of dry bare soil reaches 0.16-0.22. */
  townMaxDryBsi: 0.14,

  /** Built-up with gardens: a higher max NDVI and a lower NDBI are allowed if the mean BSI is below `gardenMaxBsi`, because soil has a higher BSI. */
  gardenMaxNdvi: 0.46,
  gardenMinNdbi: -0.2,
  gardenMaxBsi: 0,

  /** Barren: yearly max NDVI is below this value, with or without a season. */
  barrenMaxNdvi: 0.2,
  /** Barren: sparse seasonal grass is allowed up to this max NDVI if BSI indicates bare soil. */
  barrenSparseMaxNdvi: 0.3,
  barrenMinBsi: 0.1,
  barrenMaxAmplitude: 0.2,

  /**
   * Tree: NDVI is never below this value, or falls below it only slowly and for less than 48 days (haze, snow). This condition excludes crops, whose
   * NDVI falls below this value at sowing and harvest.
   */
  treeMinNdvi: 0.42,
  /**
   * Tree: the highest NDVI of a closed canopy is at least this value. This condition excludes open scrub on dark soil, which is green all year but
   * does not reach this value.
   */
  treeMinPeakNdvi: 0.58,
  /**
   * Deciduous tree: min and mean NDVI are above these values, and there is at most one cycle. These conditions exclude a harvested field, whose NDVI
   * falls below the minimum.
   */
  deciduousMinNdvi: 0.3,
  deciduousMeanNdvi: 0.52,
  /**
   * Deciduous tree: NDVI falls by less than this value in `harvestSteps`. This condition excludes a field of cane, which is cut within a week; the
   * leaves of trees fall over two months.
   */
  deciduousMaxDrop: 0.35,
  /**
   * If the highest NDVI of a pixel is below this value, the pixel counts as deciduous trees only if the leaves fall within weeks (`halvesMinShare`).
   * The NDVI of a closed canopy exceeds this value. The condition excludes pasture, whose NDVI in the rains is 0.6 to 0.7 and which dries over months
   * (Ferreira and Huete 2004, IJRS 25:1837: cultivated pasture of the Cerrado).
   */
  deciduousMinPeakNdvi: 0.71,
  /**
   * Field in a mixed pixel that is never bare. If the NDVI of a pixel is always above `treeMinNdvi`, its cycles are counted only if the amplitude is
   * at least this value, because the NDVI of an evergreen forest varies only by 0.1 to 0.2. The pixel is a field if it has two cycles, and each cycle
   * ends as quickly as in a harvest.
   */
  greenFieldMinSwing: 0.25,
  /**
   * Tree that is leafless for months (dry deciduous forest): NDVI is above the middle between its lowest and highest value for this number of steps
   * (128 days), and then falls more slowly than in a harvest. If NDVI falls to that of bare soil (`harvestBareNdvi`), as in a field,
   * `longSeasonSteps` is used instead. Leaves grow within a month, remain for two months or more, and fall over four to eight months. So the NDVI of
   * such a forest is above the middle for at least 135 days. The NDVI of a crop of 120 to 140 days is above the middle only for 80 to 110 days.
   */
  sheddingMinSteps: 8,
  /**
   * Dry deciduous forest: minimum peak and minimum floor. NDVI falls from 0.6-0.9 to 0.15-0.35 (bark, litter and grass); scrub has a lower
   * peak, and a ploughed field has a lower floor.
   */
  sheddingMinPeakNdvi: 0.6,
  sheddingMinNdvi: 0.15,

  /**
   * Growth cycle: minimum height and prominence of a peak of the smoothed NDVI. On 6,017 labelled fields, a prominence of 0.1 gave better counts than
   * 0.2. With a prominence below 0.12, remaining haze would count as a cycle.
   */
  cycleMinHeight: 0.35,
  cycleMinProminence: 0.12,
  /**
   * Growth cycle: minimum prominence and height as shares of the year's amplitude. In a year with a tall crop, these shares exclude weeds and new
   * shoots in autumn. Liu et al. 2020 (RSE 251:112095) use half of the amplitude as the minimum height. A smaller share is used here, because second
   * crops with a thin canopy reach a little less than half.
   */
  cycleMinProminenceShare: 0.25,
  cycleMinShare: 0.4,
  /**
   * Growth cycle: minimum distance of two peaks in steps (64 days). A harvest, a sowing and most of a season must fit between them. The shortest
   * field crops take 75 days (FAO-56, table 11).
   */
  cycleMinSpacing: 4,
  /**
   * Long season: NDVI is above the middle between the floor and the highest value for at least this number of steps (160 days). One crop is above the
   * middle for a shorter time. Even cotton, the longest crop without a winter, is only in the field for 180 to 225 days, and has less than half of
   * its canopy in the first 30 to 45 days and in most of the last 45 to 55 days (Allen et al. 1998, FAO-56, table 11). A long season that contains
   * `hiddenGapSteps` unobserved steps and ends with a harvest has two crops. A long season belongs to trees if its floor is not that of a bare field
   * (`deciduousMinNdvi`), or if it ends with one slow fall.
   */
  longSeasonSteps: 10,
  /**
   * A crop counts as growing for a year or more if its season has at least this number of steps (176 days) above the middle between the floor and the
   * highest value, was fully observed, and ends with a harvest.
   */
  perennialSteps: 11,

  /**
   * Two crops with a shallow gap: a season of `longSeasonSteps` or more has a notch of this depth, with three green steps (48 days) on either side.
   * The gap is shallow in a mixed pixel: one field is green while the next field is bare, so NDVI falls only to 0.45. The depth is larger than the
   * notches of 0.02 to 0.04 that noise of 0.03 leaves after smoothing.
   */
  shallowGapNdvi: 0.07,
  /**
   * Length of two crops that follow each other, in steps above the middle of the season (192 to 256 days). Two crops of 100 to 140 days in the
   * field take 200 to 280 days; a field of cane is green for longer (Allen et al. 1998, FAO-56, table 11). An unobserved step in a season of this
   * length may hide the harvest and the sowing.
   */
  twoCropSteps: [12, 16],
  /**
   * Low crop before or after the main crop, on a field that is bare between the two crops. The numbers are the minimum height and prominence of the
   * peak, and the minimum number of steps (48 days) above the middle of the height. A crop covers at least a fifth of the ground; with bare soil on
   * the rest of the ground, NDVI is 0.24. The crop has this cover for at least two thirds of 75 days, the shortest season in FAO-56, table 11. Weeds
   * before the sowing are cut within a month, so they do not count. NDVI must fall as quickly as in a harvest after the low crop.
   */
  weakMinHeight: 0.24,
  weakMinProminence: 0.1,
  weakMinSteps: 3,

  /**
   * Latitudes (degrees) between which the winter becomes stronger. South of the first latitude, growth does not pause in the cold months. North of
   * the second latitude, growth pauses on all land. By the climate index GSL of WMO's ETCCDI, mean temperatures below 5 degrees C end the growing
   * season. On land with a winter, two peaks with only a winter between them are one crop. The winter does not count for the length of a season,
   * because winter cereals are dormant for most of their 180 to 335 days in the field (FAO-56). Low values in winter do not mean bare ground, because
   * they come from snow, low sun and frozen leaves.
   */
  dormantLatitudes: [30, 38],
  /**
   * Exponent of the function by which the winter becomes stronger between `dormantLatitudes`. The exponent is chosen so that noise alone, which
   * changes NDVI by 0.05 to 0.15 of the amplitude in the months of rest, has little effect.
   */
  dormantEase: 2,
  /**
   * First and last day (after 1 July) of the months of rest: 1 December to 28 February. Land whose NDVI changes much in these months counts as land
   * without a winter.
   */
  restDays: [153, 242],
  /**
   * The change of NDVI in the months of rest is divided by the year's amplitude, but at least by this value, because smaller amplitudes are noise.
   */
  restMinSwing: 0.15,
  /** First and last day (after 1 July) of the cold months: mid-November to late March. */
  dormantDays: [140, 270],
  /**
   * Minimum NDVI at the beginning of the cold months, as a share of the first peak. The NDVI of a field that was harvested in autumn is below this
   * share.
   */
  dormantMinShare: 0.5,

  /**
   * Kharif peak hidden by monsoon clouds: the conditions are that the NDVI of the first clear step after a gap of `hiddenGapSteps` steps (48 days) is
   * at least `hiddenMinHeight`, and that NDVI then falls by `hiddenMinFall` to that of bare ground (`bareMaxNdvi`) within `harvestSteps`. The NDVI of
   * scrub and grass falls only by 0.05-0.15 in two months; `hiddenMinFall` is as large as the fall of an observed harvest.
   */
  hiddenGapSteps: 3,
  hiddenMinHeight: 0.28,
  hiddenMinFall: 0.18,
  bareMaxNdvi: 0.25,
  /**
   * If the first observation is at this core step or later (1 August), the start of the season is unknown, and a rise before the first
   * observation is assumed.
   */
  unseenStartSteps: 2,
  /**
   * If the last observation is this number of steps or more before the end of the year (no observation since 1 June),
   * the end of the season is unknown, and a fall after the last observation is assumed.
   */
  unseenEndSteps: 2,
  /**
   * If fewer margin steps than this were observed, two assumptions are made: if the series rises at its first observation, the rise began at bare
   * ground; if the series falls at its last observation, the fall ends at bare ground.
   */
  unseenMarginSteps: 2,
  /** Minimum rise or fall per step for the assumption at `unseenMarginSteps`; a smaller change is noise. */
  unseenMinSlope: 0.005,
  /**
   * Last core step (0-based) at which a peak belongs to a kharif crop. The middle of this step is 14 November. Later peaks belong to other
   * crops.
   */
  kharifLastStep: 8,
  /**
   * A crop with at most one cycle is annual or perennial (sugarcane, plantation) if at least `plateauSteps` steps
   * (about 270 days) are above `plateauMinNdvi`.
   */
  plateauSteps: 17,
  plateauMinNdvi: 0.5,

  /** Shrub: a single cycle without a harvest is scrub if max NDVI is below this value. Above this value, a slow cycle is a tree or a long crop. */
  shrubMaxNdvi: 0.62,
  /** Harvest: NDVI falls by at least this value within `harvestSteps` (48 days) after its highest point. */
  harvestMinDrop: 0.18,
  harvestSteps: 3,
  /**
   * Harvest: the fall is at least this share of the year's amplitude, or a season that is not long ends on bare ground. A field is cut within days.
   * Leaves and scrub fall more slowly: leaves that fall over four months (like half a cosine) lower NDVI by at most 0.59 of its amplitude in 48 days,
   * and scrub dries over three months or more.
   */
  harvestMinShare: 0.65,
  harvestBareNdvi: 0.22,
  /**
   * Crop that is picked over weeks and sheds its leaves (cotton, pigeon pea): NDVI loses at least this share of its amplitude within `harvestSteps`
   * and falls to nearly bare ground (`bareMaxNdvi`). A dry forest is slower: its leaves fall over four to eight months, and half of the leaves fall
   * in two months or more. If the season is longer than `perennialSteps`, the pixel does not have such a crop.
   */
  halvesMinShare: 0.55,

  /**
   * Largest share of a year's scenes that may be missing because their servers did not respond. One missing scene in twenty is about one missing date
   * in four months, and a cloudy week hides more dates than that. If more scenes are missing, the run fails and is retried.
   */
  maxMissingShare: 0.05,

  /**
   * This list and the following lists contain the limits between the levels of evidence, from which the confidence is computed. Here: distance of a
   * year to the threshold of NDVI that decided the class. The noise of a smoothed step is about 0.03.
   */
  marginLevels: [0.05, 0.12, 0.25],
  /** Distances of the amplitude of built-up land to `townMaxAmplitude`. Roofs alone have an amplitude below 0.1. */
  amplitudeMarginLevels: [0.1, 0.17, 0.24],
  /** Distances of the peaks to the height and prominence at which another number of cycles would be counted: one to seven times the noise. */
  peakMarginLevels: [0.03, 0.06, 0.09, 0.12, 0.16, 0.2],
  /**
   * Limit of the rise of a canopy within `harvestSteps`, for the evidence of trees: the rise from the floor of deciduous trees (`deciduousMinNdvi`)
   * to a closed canopy (0.75). The limit of the fall is `deciduousMaxDrop`.
   */
  canopyMaxRise: 0.45,
  /** Mean change of the slope of a canopy per step: from the value of a crop to the value of noise alone. */
  roughnessLevels: [0.045, 0.038, 0.032, 0.027, 0.022, 0.017, 0.012],
  /** Distances of the mean NDBI to `townMinNdbi`. Roofs alone have -0.05 to 0.05. */
  roofMarginLevels: [0.1, 0.15, 0.2, 0.225, 0.25, 0.275, 0.3],
  /** Distances of the mean BSI to `barrenMinBsi`. Dry bare soil reaches 0.16 to 0.22. */
  soilMarginLevels: [0.01, 0.02, 0.03, 0.045, 0.06, 0.08, 0.1],
  /** Distances of the floor of scrub to `harvestBareNdvi`; leaves that stay all year raise the floor to 0.3 to 0.4. */
  coverMarginLevels: [0, 0.03, 0.06, 0.09, 0.12, 0.15, 0.18],
  /**
   * Mean distances, over the clear steps of a season, of MNDWI to the nearer one of two limits: `waterMinMndwi`, and the NDVI of the step. The MNDWI
   * of clear open water is more than 0.4 above both limits.
   */
  waterMarginLevels: [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4],
  /** Shares of the clear steps of a season that are wet. */
  wetShareLevels: [0.5, 0.65, 0.8],
  /** Longest runs of unobserved steps: 96 days (most of a crop), 64 days (`cycleMinSpacing`), 32 days (a harvest). */
  gapLevels: [6, 4, 2],

  /** Minimum number of years for temporal correction, which compares a year with the previous and the next year. */
  temporalMinYears: 3,
} as const;

/** Converts an index (NDVI etc.) to int16 x 10000. */
export const scaled = (ratio: number): number => Math.round(ratio * 10_000);

/** Codes of the quality plane. */
export const QUALITY = { outside: 0, computed: 1, insufficient: 2, filled: 3, corrected: 4 } as const;
