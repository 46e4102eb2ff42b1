/** Version of the land-cover method; increased whenever a number below or a rule changes. */
export const LULC_METHOD_VERSION = '1.3.0';

/**
 * Every number of the land-cover classifier, with unit and reason. Indices are ratios in -1..1 of surface reflectance (Sentinel-2 L2A).
 * Sources: published spectral behaviour of soils, roofs, water and crops; the public phenology rules named in the Item's description.
 */
export const LULC_THRESHOLDS = {
  /** Length of a composite step, days; `coreSteps`: steps of a year. */
  stepDays: 16,
  coreSteps: 23,
  /** Steps read before and after the year (64 days), so that a crop across 1 July or 30 June is observed completely. */
  marginSteps: 4,

  /** Scene classification codes used as clear: vegetation, bare, water, unclassified, snow (which includes bright salt and sand; `snowMinNdsi` finds snow). */
  sclKeep: [4, 5, 6, 7, 11],
  /** Cloud shadow, cloud medium and high, cirrus: their edges are under-detected, so they are extended. */
  sclGrow: [3, 8, 9, 10],
  /** Pixels of the 20 m classification by which they are extended (3 x 3 per step): 20 m, the usual width of a missed cloud rim. */
  sclDilate: 1,

  /** With fewer clear 16-day steps than this: class 0, quality 2. A start, a peak and a fall are three steps; fewer are not enough. */
  minClearSteps: 3,
  /**
   * Stiffness of the Whittaker smoother (Eilers' lambda) at steps of 16 days: waves of 128 days (a crop) keep 0.92 of their height, waves
   * of two steps (noise) 0.2.
   * Ten times this value, as is usual for daily series, would flatten the gap between two crops.
   */
  smoothing: 0.25,

  /** A single step this far below both neighbours is undetected cloud or shadow, not a harvest: it is interpolated. */
  despikeDrop: 0.2,
  /**
   * A single step this far below neighbours that differ by less is also interpolated: it is a notch in a level stretch.
   * Between a harvested crop and the next one the levels differ, and the low value lasts for the weeks from sowing to a closed canopy.
   */
  notchDrop: 0.12,
  /**
   * In a year with plant growth a value below this is not the ground; such steps are interpolated.
   * Soils are above 0.04 (0.2 on average; Montandon and Small 2008, RSE 112:1835); snow, thick cloud and standing water are below.
   */
  noGroundNdvi: 0.03,

  /** Wet step: MNDWI above this. Open water is > 0.1 even when turbid; wet soil stays below. */
  waterMinMndwi: 0.05,
  /**
   * Water is darker than this in the near infrared (reflectance); snow, salt and sand are brighter.
   * Very silty water reaches 0.15 (Doxaran et al. 2002, RSE 81:149). MODIS separates snow from water at 0.11 (Hall et al. 1995, RSE
   * 54:127), Sen2Cor at 0.15-0.35.
   */
  waterMaxNir: 0.2,
  /** Bright ground with an MNDWI (NDSI) above this is snow: lower bound of Sen2Cor's snow filter. Soil and plants are below -0.1. */
  snowMinNdsi: 0.2,
  /** Bright ground that looks wet in this share of its clear steps is salt or lasting snow, not a roof. */
  whiteMinShare: 0.5,
  /** Wet step: NDVI below this, so that flooded young rice and weeds are not water. */
  waterMaxNdvi: 0.2,
  /** Months (of the four of a season) that must be clear and wet. */
  waterMinMonths: 2,
  /** A season with one clear month only counts as wet when MNDWI there is above this: cloud hides the rest of a monsoon. */
  waterSingleMonthMndwi: 0.25,
  /** A wet season has at most this NDVI in its clear steps; a flooded paddy exceeds it later. */
  waterSeasonMaxNdvi: 0.4,
  /**
   * If a season is wet for at most this number of steps (64 days), the NDVI limit also holds for the following steps (64 days): otherwise
   * it is a paddy.
   * A paddy is flooded before planting, and its canopy is half closed 40 days later (Xiao et al. 2005, RSE 95:480).
   */
  paddyMaxWetSteps: 4,
  paddyGreenSteps: 4,

  /** Built-up: yearly max NDVI below this. Gardens and road trees stay below it; scrub and crops exceed it. */
  builtMaxNdvi: 0.36,
  /** Built-up: NDVI amplitude below this, because roofs have no season. */
  builtMaxAmplitude: 0.2,
  /** Built-up: mean NDBI above this. */
  builtMinNdbi: -0.1,
  /** Built-up: mean BSI below this. Roofs and concrete are bright in blue; bare soil and rock rise continuously to the short-wave infrared. */
  builtMaxBsi: 0.125,
  /**
   * Built-up: BSI of the ground alone below this.
   * Leaves over the ground lower BSI and raise NDVI along a nearly straight mixing line (BSI falls by `groundBsiPerNdvi` per NDVI above the
   * bare ground's `groundNdvi`). Without this rule scrub on bright sand looks like a roof.
   */
  builtMaxGroundBsi: 0.17,
  groundBsiPerNdvi: 0.6,
  groundNdvi: 0.12,

  /**
   * Built-up with trees in between (mixed pixels): max NDVI and amplitude below these.
   * Tree crowns over a third of a pixel raise it to 0.4-0.5 with a season of 0.1-0.25; a crop has a larger amplitude.
   */
  townMaxNdvi: 0.55,
  townMaxAmplitude: 0.3,
  /**
   * Built-up with trees: mean MNDWI above this.
   * Roofs and roads are nearly as bright in the visible as at 1.6 um. Soils, wet or dry, and leaves are far darker in the visible (the
   * index of built-up land features, BLFEI, uses this: ESA SNAP, optical toolbox).
   */
  townMinMndwi: -0.35,
  /** Built-up with trees: mean NDBI above this; one third of crowns over roofs gives -0.15. */
  townMinNdbi: -0.25,
  /** Built-up with trees: third highest BSI below this; dry and bare soil reaches 0.16-0.22. */
  townMaxDryBsi: 0.14,

  /** Built-up with gardens: a higher max NDVI and lower NDBI are allowed if BSI excludes soil. */
  gardenMaxNdvi: 0.46,
  gardenMinNdbi: -0.2,
  gardenMaxBsi: 0,

  /** Barren: yearly max NDVI below this, whatever the season. */
  barrenMaxNdvi: 0.2,
  /** Barren: sparse seasonal grass is allowed up to this max NDVI if BSI indicates bare soil. */
  barrenSparseMaxNdvi: 0.3,
  barrenMinBsi: 0.1,
  barrenMaxAmplitude: 0.2,

  /** Tree: NDVI never falls below this, or for less than 48 days and slowly (haze, snow); crops fall at sowing and harvest. */
  treeMinNdvi: 0.42,
  /** Tree: a closed canopy has at least this max NDVI; open scrub on dark soil stays green without reaching it. */
  treeMinPeakNdvi: 0.58,
  /** Deciduous tree: min and mean NDVI above these and at most one cycle. A harvested field falls below the min. */
  deciduousMinNdvi: 0.3,
  deciduousMeanNdvi: 0.52,
  /** Deciduous tree: NDVI falls by less than this in `harvestSteps`; leaves take two months to fall, a cane field is cut in a week. */
  deciduousMaxDrop: 0.35,
  /**
   * Tree that is leafless for months (dry deciduous forest): NDVI stays above the middle between its lowest and highest value for this
   * number of steps (128 days) and then falls more slowly than by a harvest.
   * `longSeasonSteps` is used instead if it falls to bare soil (`harvestBareNdvi`), as a field does. Leaves grow within a month, stay for
   * two or more and fall over four to eight, at least 135 days in total; a crop of 120 to 140 days is above its middle for 80 to 110.
   */
  sheddingMinSteps: 8,
  /** Dry deciduous forest: falls from a peak of 0.6-0.9 to bark, litter and grass at 0.15-0.35; scrub has a lower peak, a ploughed field a lower floor. */
  sheddingMinPeakNdvi: 0.6,
  sheddingMinNdvi: 0.15,

  /**
   * A growth cycle: least height and prominence of a peak of the smoothed NDVI.
   * On 6,017 labelled fields a prominence of 0.1 counted better than 0.2; below 0.12 remaining haze is counted.
   */
  cycleMinHeight: 0.35,
  cycleMinProminence: 0.12,
  /**
   * A growth cycle: least prominence and height as shares of the year's amplitude, which exclude weeds and autumn tillers next to a tall
   * crop.
   * A quarter in prominence and two fifths in height (Liu et al. 2020, RSE 251:112095 use half; second crops with a thin canopy are just
   * below that).
   */
  cycleMinProminenceShare: 0.25,
  cycleMinShare: 0.4,
  /** A growth cycle: least distance of two peaks in steps (64 days), for a harvest, a sowing and most of a season; the shortest field crops take 75 days (FAO-56, table 11). */
  cycleMinSpacing: 4,
  /**
   * A season above its middle for more steps (160 days) than a crop.
   * Cotton, the longest crop without a winter, is in the field for 180 to 225 days, but below half of its canopy in the first 30 to 45 and
   * most of the last 45 to 55 of them (Allen et al. 1998, FAO-56, table 11). With an unobserved stretch of `hiddenGapSteps` in it and a
   * harvest at its end such a season is two crops; over a floor that is no bare field (`deciduousMinNdvi`), or with one slow fall, it is
   * trees.
   */
  longSeasonSteps: 10,
  /** A season above its middle for this number of steps (176 days), fully observed and harvested: a crop of a year or more. */
  perennialSteps: 11,

  /**
   * Poleward of this latitude growth pauses in the cold months.
   * Mean temperatures fall below 5 degrees C, which ends the growing season by WMO's ETCCDI climate indices (index GSL). Two peaks with
   * only a winter in between are one crop. The winter does not count for the length of a season: winter cereals are in the field for 180 to
   * 335 days (FAO-56), mostly dormant. Low values in winter, from snow, low sun and frozen leaves, are no bare ground.
   */
  dormantLatitude: 35,
  /** First and last day (after 1 July) of the cold months: mid-November to late March. */
  dormantDays: [140, 270],
  /** Least share of the first peak at the beginning of the cold months; a field harvested in autumn is lower. */
  dormantMinShare: 0.5,

  /**
   * A kharif peak hidden by monsoon cloud: after a gap of this number of steps (48 days) the first clear step is at least at
   * `hiddenMinHeight` and then falls by `hiddenMinFall` to bare ground (`bareMaxNdvi`) within `harvestSteps`.
   * Scrub and grass lose 0.05-0.15 in two months; this fall is as large as that of an observed harvest.
   */
  hiddenGapSteps: 3,
  hiddenMinHeight: 0.28,
  hiddenMinFall: 0.18,
  bareMaxNdvi: 0.25,
  /** A series first observed at this core step or later (1 August) has an unknown start; a rise before it is assumed. */
  unseenStartSteps: 2,
  /** A series last observed this number of steps before the year's end or earlier (nothing since 1 June) has an unknown end; a fall after it is assumed. */
  unseenEndSteps: 2,
  /** With fewer observed margin steps than this, a series rising at the first one is assumed to rise from the ground; one falling at the last, to it. */
  unseenMarginSteps: 2,
  /** Least rise or fall per step for this assumption; less is noise. */
  unseenMinSlope: 0.005,
  /** Last core step (0-based, midpoint 14 November) whose peak belongs to a kharif crop; later peaks are non-kharif. */
  kharifLastStep: 8,
  /** Number of steps (about 270 days) above `plateauMinNdvi`, with at most one cycle, of an annual or perennial crop (sugarcane, plantation). */
  plateauSteps: 17,
  plateauMinNdvi: 0.5,

  /** Shrub: below this max NDVI a single cycle without a harvest is scrub; higher and slow is a tree or a long crop. */
  shrubMaxNdvi: 0.62,
  /** Harvest: NDVI falls at least by this within `harvestSteps` (48 days) after its highest point. */
  harvestMinDrop: 0.18,
  harvestSteps: 3,
  /**
   * Harvest: the fall is at least this share of the year's amplitude, or ends on bare ground after a season that is not long.
   * A field is cut within days. Leaves that fall over four months (as half a cosine) lose at most 0.59 of the amplitude in 48 days; scrub
   * dries over three months or more.
   */
  harvestMinShare: 0.65,
  harvestBareNdvi: 0.22,

  /**
   * Largest share of a year's scenes that may be missing because their servers did not respond.
   * One in twenty is about one date in four months, less than a cloudy week. With more the run fails and is retried.
   */
  maxMissingShare: 0.05,

  /** A built-up pixel with a smaller amplitude than this is a firm case of its class (see `confidence`): a season could not be distinguished from noise. */
  firmMaxAmplitude: 0.12,

  /** Least number of years for temporal correction, which compares a year with the previous and the next one. */
  temporalMinYears: 3,
} as const;

/** Converts an index (NDVI etc.) to int16 x 10000. */
export const scaled = (ratio: number): number => Math.round(ratio * 10_000);

/** Codes of the quality plane. */
export const QUALITY = { outside: 0, computed: 1, insufficient: 2, filled: 3, corrected: 4 } as const;
