/** Version of the land-cover method; increased when a rule or a number changes. */
export const LULC_METHOD_VERSION = '1.4.3';

/** Numbers of the land-cover classifier. Indices are ratios in -1..1 of surface reflectance (Sentinel-2 L2A). */
export const LULC_THRESHOLDS = {
  /** Length of a composite step, days; a year has `coreSteps` steps. */
  stepDays: 16,
  coreSteps: 23,
  /** Steps that are read before and after the year, so that a crop across 1 July is observed completely. */
  marginSteps: 4,

  /**
   * Classes of the scene classification that count as clear: vegetation, bare, water, unclassified, snow. Snow includes
   * bright salt and sand.
   */
  sclKeep: [4, 5, 6, 7, 11],
  /**
   * Classes of cloud shadow, clouds and cirrus. Their areas are extended, because the classification misses edges of
   * clouds.
   */
  sclGrow: [3, 8, 9, 10],
  /** Pixels (20 m) by which areas of cloud and shadow are extended; a missed edge is about 20 m wide. */
  sclDilate: 1,

  /**
   * Minimum number of clear steps: a season has a start, a peak and an end. Pixels with fewer steps get class 0 and
   * quality 2.
   */
  minClearSteps: 3,
  /**
   * Stiffness (lambda) of the Whittaker smoother. Waves of 128 days keep 0.92 of their height, waves of two steps 0.2.
   */
  smoothing: 0.25,

  /** A step that is this much lower than both neighbours counts as an undetected cloud and is interpolated. */
  despikeDrop: 0.2,
  /**
   * Between neighbours of nearly the same value, a step that is this much lower is interpolated. A real gap between
   * crops lasts longer.
   */
  notchDrop: 0.12,
  /**
   * In a year with plant growth, a step below this NDVI counts as cloud, snow or flood. Soils have more than 0.04
   * (Montandon and Small 2008, RSE 112:1835).
   */
  noGroundNdvi: 0.03,

  /** Wet step: MNDWI is above this value. Open water, even turbid, is above 0.1. */
  waterMinMndwi: 0.05,
  /**
   * Water is darker than this value in the near infrared; snow, salt and sand are brighter. Very silty water reaches
   * 0.15 (Doxaran et al. 2002, RSE 81:149).
   */
  waterMaxNir: 0.2,
  /** Bright ground with an MNDWI (= NDSI) above this value is snow (lower limit of Sen2Cor's snow filter). */
  snowMinNdsi: 0.2,
  /** Salt or snow, not a roof: bright ground with an MNDWI like water in at least this share of its clear steps. */
  whiteMinShare: 0.5,
  /** Wet step: NDVI is below this value, so that flooded young rice does not count as water. */
  waterMaxNdvi: 0.2,
  /** Minimum number of clear, wet months in a season of four months. */
  waterMinMonths: 2,
  /** A season with only one clear month, as in the monsoon, is wet if its highest MNDWI is above this value. */
  waterSingleMonthMndwi: 0.25,
  /** Maximum NDVI of the clear steps of a wet season. A paddy exceeds this value later. */
  waterSeasonMaxNdvi: 0.4,
  /**
   * Maximum number of wet steps of a short wet season. Such a season is water only if NDVI also stays low in the next
   * `paddyGreenSteps` steps; otherwise the pixel is a paddy. A paddy's canopy is half closed 40 days after planting
   * (Xiao et al. 2005, RSE 95:480).
   */
  paddyMaxWetSteps: 4,
  paddyGreenSteps: 4,

  /** Built-up: the highest NDVI of the year is below this value. Scrub and crops are above. */
  builtMaxNdvi: 0.36,
  /** Built-up: the amplitude of NDVI is below this value, because roofs have no season. */
  builtMaxAmplitude: 0.2,
  /** Built-up: mean NDBI is above this value. */
  builtMinNdbi: -0.1,
  /** Built-up: mean BSI is below this value; bare soil has a higher BSI. */
  builtMaxBsi: 0.125,
  /**
   * Built-up: BSI of the ground without leaves is below this value. BSI falls by `groundBsiPerNdvi` per unit of NDVI
   * above `groundNdvi`. Without this correction, scrub on bright sand would count as a roof.
   */
  builtMaxGroundBsi: 0.17,
  groundBsiPerNdvi: 0.6,
  groundNdvi: 0.12,

  /**
   * Built-up with trees: max NDVI and amplitude are below these values. Crowns over a third of a pixel give a max NDVI
   * of 0.4-0.5 and an amplitude of 0.1-0.25.
   */
  townMaxNdvi: 0.55,
  townMaxAmplitude: 0.3,
  /**
   * Built-up with trees: mean MNDWI is above this value, because roofs and roads are bright in visible light. The index
   * BLFEI also uses this (ESA SNAP).
   */
  townMinMndwi: -0.35,
  /** Built-up with trees: mean NDBI is above this value. Roofs with crowns over a third of the pixel have -0.15. */
  townMinNdbi: -0.25,
  /** Built-up with trees: third highest BSI is below this value. Dry bare soil reaches 0.16-0.22. */
  townMaxDryBsi: 0.14,

  /** Built-up with gardens: a higher max NDVI and a lower NDBI are allowed if mean BSI is below `gardenMaxBsi`. */
  gardenMaxNdvi: 0.46,
  gardenMinNdbi: -0.2,
  gardenMaxBsi: 0,

  /** Barren: the highest NDVI of the year is below this value. */
  barrenMaxNdvi: 0.2,
  /** Barren: sparse seasonal grass up to this max NDVI is allowed if BSI indicates bare soil. */
  barrenSparseMaxNdvi: 0.3,
  barrenMinBsi: 0.1,
  barrenMaxAmplitude: 0.2,

  /**
   * Tree: NDVI never falls below this value, or only slowly and for less than 48 days. NDVI of crops is lower at sowing
   * and harvest.
   */
  treeMinNdvi: 0.42,
  /** Tree: the highest NDVI is at least this value, which open scrub on dark soil does not reach. */
  treeMinPeakNdvi: 0.58,
  /**
   * Deciduous tree: floor and mean of NDVI are at least these values, with at most one cycle. A harvested field
   * has lower values.
   */
  deciduousMinNdvi: 0.3,
  deciduousMeanNdvi: 0.52,
  /**
   * Deciduous tree: NDVI falls by less than this value in `harvestSteps`. Cane is cut within a week; leaves fall over
   * two months.
   */
  deciduousMaxDrop: 0.35,
  /**
   * Deciduous tree: minimum peak if the leaves do not fall within weeks (`halvesMinShare`). Pasture, with a peak of 0.6
   * to 0.7, dries over months (Ferreira and Huete 2004, IJRS 25:1837).
   */
  deciduousMinPeakNdvi: 0.71,
  /**
   * Green field: the cycles of a pixel that is always above `treeMinNdvi` count only if its amplitude is at least this
   * value. An evergreen forest varies by 0.1 to 0.2.
   */
  greenFieldMinSwing: 0.25,
  /**
   * Dry deciduous forest: minimum number of steps above the middle between lowest and highest NDVI. Forests have 135
   * days or more, crops 80 to 110. If NDVI falls to bare soil (`harvestBareNdvi`), or perhaps as quickly as in a
   * harvest, the minimum is at least `longSeasonSteps`.
   */
  sheddingMinSteps: 8,
  /** Dry deciduous forest: minimum peak and floor. Scrub has a lower peak, a ploughed field a lower floor. */
  sheddingMinPeakNdvi: 0.6,
  sheddingMinNdvi: 0.15,

  /**
   * Growth cycle: minimum height and prominence of a peak of the smoothed NDVI. Below 0.12, haze would count as a
   * cycle.
   */
  cycleMinHeight: 0.35,
  cycleMinProminence: 0.12,
  /**
   * Growth cycle: minimum prominence and height as shares of the year's amplitude, so that weeds do not count. Liu et
   * al. 2020 (RSE 251:112095) use half of the amplitude, which thin second crops do not reach.
   */
  cycleMinProminenceShare: 0.25,
  cycleMinShare: 0.4,
  /** Growth cycle: minimum distance of two peaks, steps. The shortest field crops take 75 days (FAO-56, table 11). */
  cycleMinSpacing: 4,
  /**
   * Long season: minimum number of steps above the middle between floor and highest NDVI. One crop is shorter (FAO-56,
   * table 11). A long season with an unobserved gap (`hiddenGapSteps`) and a harvest has two crops. A long season
   * without bare ground, or with one slow fall, belongs to trees.
   */
  longSeasonSteps: 10,
  /**
   * Perennial crop: minimum number of steps above the middle between floor and highest NDVI, in a season without a gap
   * of `hiddenGapSteps`, with at most one cycle.
   */
  perennialSteps: 11,

  /**
   * Two crops with a shallow gap: a long season has a notch of this depth with three green steps on either side. After
   * smoothing, noise leaves notches of 0.02 to 0.04.
   */
  shallowGapNdvi: 0.07,
  /**
   * Least and greatest length of two consecutive crops, steps above the middle between floor and highest NDVI. Cane is
   * green for longer (FAO-56, table 11).
   */
  twoCropSteps: [12, 16],
  /**
   * Low crop next to the main crop: minimum height and prominence of its peak, and minimum number of steps above the
   * middle between floor and peak. NDVI must then fall as quickly as in a harvest. Weeds are cut within a month.
   */
  weakMinHeight: 0.24,
  weakMinProminence: 0.1,
  weakMinSteps: 3,

  /**
   * Latitudes (degrees) between which the winter becomes stronger (ETCCDI index GSL). Two peaks with only a winter
   * between them are one crop, because winter cereals are dormant (FAO-56).
   */
  dormantLatitudes: [30, 38],
  /**
   * Exponent in the strength of the winter between `dormantLatitudes`. With 2, noise of 0.05 to 0.15 of the
   * amplitude has little effect.
   */
  dormantEase: 2,
  /**
   * First and last day of the months of rest, days after 1 July: 1 December to 28 February. Land whose NDVI changes in
   * these months has no winter.
   */
  restDays: [153, 242],
  /** Smallest amplitude by which the change in the months of rest is divided. Smaller amplitudes are noise. */
  restMinSwing: 0.15,
  /** First and last day of the cold months, days after 1 July: mid-November to late March. */
  dormantDays: [140, 270],
  /**
   * Minimum height of NDVI above the floor at the start of the cold months, share of the first peak's height above the
   * floor. Fields that were harvested in autumn are lower.
   */
  dormantMinShare: 0.5,

  /**
   * Kharif peak behind monsoon clouds: after `hiddenGapSteps` unobserved steps, NDVI is at least `hiddenMinHeight`.
   * Then NDVI falls by `hiddenMinFall` to bare ground within `harvestSteps`. Scrub falls only by 0.05-0.15 in two
   * months.
   */
  hiddenGapSteps: 3,
  hiddenMinHeight: 0.28,
  hiddenMinFall: 0.18,
  bareMaxNdvi: 0.25,
  /** If the first observation is at this core step (from 2 August) or later, an earlier rise is assumed. */
  unseenStartSteps: 2,
  /** If the last observation is at least this number of steps before the last core step, a later fall is assumed. */
  unseenEndSteps: 2,
  /**
   * If fewer margin steps than this were observed, a rise at the first observation is assumed to begin at bare ground.
   * A fall at the last observation is assumed to end at bare ground.
   */
  unseenMarginSteps: 2,
  /** Minimum slope per step for the assumption at `unseenMarginSteps`; a smaller slope is noise. */
  unseenMinSlope: 0.005,
  /** Last core step (0-based; middle: 14 November) whose peak belongs to a kharif crop. */
  kharifLastStep: 8,
  /**
   * Annual or perennial crop (cane, plantation): at most one cycle, and `plateauSteps` steps (about 270 days) above
   * `plateauMinNdvi`.
   */
  plateauSteps: 17,
  plateauMinNdvi: 0.5,

  /** Shrub: at most one cycle, no harvest, and a max NDVI below this value (or ground that is never bare). */
  shrubMaxNdvi: 0.62,
  /** Harvest: NDVI falls by this value within `harvestSteps` (48 days) after its highest point. */
  harvestMinDrop: 0.18,
  harvestSteps: 3,
  /**
   * Harvest: the fall is this share of the year's amplitude, or a season that is not long ends on bare ground. Leaves
   * that fall over four months lose at most 0.59 in 48 days.
   */
  harvestMinShare: 0.65,
  harvestBareNdvi: 0.22,
  /**
   * Crop that is picked over weeks (cotton, pigeon pea): NDVI loses this share of its amplitude within `harvestSteps`
   * and falls nearly to bare ground. Leaves of a dry forest fall more slowly.
   */
  halvesMinShare: 0.55,

  /**
   * Largest share of scenes that may be missing because their servers did not respond. If more are missing, the run
   * fails and is retried.
   */
  maxMissingShare: 0.05,

  /**
   * Limits between levels of evidence, for the confidence; the names of all of them end with `Levels`. This list:
   * distance to the NDVI threshold that decided the class. A smoothed step has a noise of about 0.03.
   */
  marginLevels: [0.05, 0.12, 0.25],
  /** Distances of the amplitude of built-up land to `townMaxAmplitude`. */
  amplitudeMarginLevels: [0.1, 0.17, 0.24],
  /** Distances of the peaks to the height and prominence at which another number of cycles would be counted. */
  peakMarginLevels: [0.03, 0.06, 0.09, 0.12, 0.16, 0.2],
  /** Limit of the rise of a canopy within `harvestSteps`: from `deciduousMinNdvi` to a closed canopy (0.75). */
  canopyMaxRise: 0.45,
  /** Mean changes of the slope per step, from the roughness of a crop to the roughness of noise alone. */
  roughnessLevels: [0.045, 0.038, 0.032, 0.027, 0.022, 0.017, 0.012],
  /** Distances of the mean NDBI to `townMinNdbi`. */
  roofMarginLevels: [0.1, 0.15, 0.2, 0.225, 0.25, 0.275, 0.3],
  /** Distances of the mean BSI to `barrenMinBsi`. */
  soilMarginLevels: [0.01, 0.02, 0.03, 0.045, 0.06, 0.08, 0.1],
  /** Distances of the floor of scrub to `harvestBareNdvi`. */
  coverMarginLevels: [0, 0.03, 0.06, 0.09, 0.12, 0.15, 0.18],
  /**
   * Mean distances of MNDWI, over the clear steps of a season, to the nearer of `waterMinMndwi` and the step's NDVI.
   */
  waterMarginLevels: [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4],
  /** Shares of the clear steps of a season that are wet. */
  wetShareLevels: [0.5, 0.65, 0.8],
  /** Longest gaps in steps: 96 days (most of a crop), 64 days (`cycleMinSpacing`), 32 days (a harvest). */
  gapLevels: [6, 4, 2],

  /** Minimum number of years for temporal correction. */
  temporalMinYears: 3,
} as const;

/** Converts an index (NDVI etc.) to int16 x 10000. */
export const scaled = (ratio: number): number => Math.round(ratio * 10_000);

/** Codes of the quality plane. */
export const QUALITY = { outside: 0, computed: 1, insufficient: 2, filled: 3, corrected: 4 } as const;
