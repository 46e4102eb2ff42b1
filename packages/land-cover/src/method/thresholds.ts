/** Version of the land-cover method; bumped whenever a number or a rule below changes. */
export const LULC_METHOD_VERSION = '1.3.0';

/**
 * Every number of the land-cover classifier, with unit and reason. Indices are ratios in -1..1 of surface reflectance (Sentinel-2 L2A).
 * Sources: published spectral behaviour of soils, roofs, water and crops; the open phenology rules named in the Item's description.
 */
export const LULC_THRESHOLDS = {
  /** Composites. */
  stepDays: 16,
  coreSteps: 23,
  /** Steps read beyond both ends of the year (64 days), so that a crop that straddles 1 July or 30 June is seen whole. */
  marginSteps: 4,

  /** Scene classification codes taken as clear: vegetation, bare, water, unclassified, snow (bright salt and sand end up there; what is snow is told by `snowMinNdsi`). */
  sclKeep: [4, 5, 6, 7, 11],
  /** Cloud shadow, cloud medium and high, cirrus: their edges are under-detected, so they are grown. */
  sclGrow: [3, 8, 9, 10],
  /** Pixels of the 20 m classification (3 x 3 per step): 20 m, the usual width of a missed cloud rim. */
  sclDilate: 1,

  /** Fewer 16-day steps that show the ground than this: class 0, quality 2. A foot, a height and a fall are three; with fewer nothing can be said. */
  minClearSteps: 3,
  /**
   * Stiffness of the Whittaker smoother (Eilers' lambda) at steps of 16 days: waves of 128 days (a crop) keep 0.92 of their height, waves of two steps (noise)
   * 0.2. Ten times as stiff, as is usual for daily series, it would flatten the gap between two crops.
   */
  smoothing: 0.25,

  /** A single step this far below both neighbours is undetected cloud or shadow, not a harvest: it is bridged. */
  despikeDrop: 0.2,
  /**
   * ... and so is one this far below neighbours that differ by less: a notch in a level stretch. Between a crop that is cut and the next one the levels
   * differ, and the low lasts for the weeks from sowing to a closing canopy.
   */
  notchDrop: 0.12,
  /**
   * Where plants grow in the year, a value below this is no ground: soils lie above 0.04 (0.2 on average; Montandon and Small 2008, RSE 112:1835), snow,
   * thick cloud and standing water below. Such steps are bridged.
   */
  noGroundNdvi: 0.03,

  /** Wet step: MNDWI above this. Open water is > 0.1 even when turbid; wet soil stays below. */
  waterMinMndwi: 0.05,
  /**
   * Water is darker than this in the near infrared (reflectance), snow, salt and sand are brighter: very silty water reaches 0.15 (Doxaran et al.
   * 2002, RSE 81:149), snow is told from water at 0.11 by MODIS (Hall et al. 1995, RSE 54:127), at 0.15-0.35 by Sen2Cor.
   */
  waterMaxNir: 0.2,
  /** Bright ground with an MNDWI (NDSI) above this is snow: lower bound of Sen2Cor's snow filter. Soil and plants are below -0.1. */
  snowMinNdsi: 0.2,
  /** Bright ground that looks wet in this share of its clear steps is salt or lasting snow; no roof does. */
  whiteMinShare: 0.5,
  /** Wet step: NDVI below this, so that flooded young rice and weeds are not water. */
  waterMaxNdvi: 0.2,
  /** Months (of the four of a season) that must be clear and wet. */
  waterMinMonths: 2,
  /** A season with one clear month only counts as wet when MNDWI there is above this: cloud hides the rest of a monsoon. */
  waterSingleMonthMndwi: 0.25,
  /** Median-like guard: a wet season has at most this NDVI in its clear steps; a paddy that was flooded passes it later on. */
  waterSeasonMaxNdvi: 0.4,
  /**
   * ... and where it is wet for at most so many steps (64 days), also in the steps right after them (64 days): that is a paddy, flooded before planting,
   * whose canopy is half closed 40 days after (Xiao et al. 2005, RSE 95:480).
   */
  paddyMaxWetSteps: 4,
  paddyGreenSteps: 4,

  /** Built-up: yearly max NDVI below this. Gardens and road trees stay under it; scrub and crops pass it. */
  builtMaxNdvi: 0.36,
  /** Built-up: NDVI amplitude below this: roofs have no season. */
  builtMaxAmplitude: 0.2,
  /** Built-up: mean NDBI above this. */
  builtMinNdbi: -0.1,
  /** Built-up: mean BSI below this. Roofs and concrete are bright in blue; bare soil and rock rise steadily to the short-wave infrared. */
  builtMaxBsi: 0.125,
  /**
   * ... and BSI of the ground alone below this. Leaves over the ground lower BSI and raise NDVI along a nearly straight mixing line (BSI
   * falls by `groundBsiPerNdvi` per NDVI above bare ground's `groundNdvi`); without it scrub on bright sand looks like a roof.
   */
  builtMaxGroundBsi: 0.17,
  groundBsiPerNdvi: 0.6,
  groundNdvi: 0.12,

  /**
   * Built-up with trees between (mixed pixels): max NDVI and amplitude below these. Crowns over a third of a pixel lift it to 0.4-0.5 and give it a
   * season of 0.1-0.25; a crop swings by more.
   */
  townMaxNdvi: 0.55,
  townMaxAmplitude: 0.3,
  /**
   * ... mean MNDWI above this: roofs and roads are nearly as bright in the visible as at 1.6 um, soils are far darker there, wet or dry, and so are leaves (the
   * index of built-up land features, BLFEI, rests on it: ESA SNAP, optical toolbox).
   */
  townMinMndwi: -0.35,
  /** ... mean NDBI above this: a third of crowns over roofs is at -0.15. */
  townMinNdbi: -0.25,
  /** ... and BSI at its third highest step below this: when soil lies dry and bare it reaches 0.16-0.22, whatever grew or rained before. */
  townMaxDryBsi: 0.14,

  /** Built-up with gardens: a higher max NDVI and lower NDBI are allowed where BSI rules soil out. */
  gardenMaxNdvi: 0.46,
  gardenMinNdbi: -0.2,
  gardenMaxBsi: 0,

  /** Barren: yearly max NDVI below this whatever the season. */
  barrenMaxNdvi: 0.2,
  /** Barren: sparse seasonal grass is allowed up to this max NDVI where BSI says bare soil. */
  barrenSparseMaxNdvi: 0.3,
  barrenMinBsi: 0.1,
  barrenMaxAmplitude: 0.2,

  /** Tree: NDVI never falls below this, or for less than 48 days and slowly (haze, snow); crops fall at sowing and harvest. */
  treeMinNdvi: 0.42,
  /** Tree: max NDVI of a canopy that closes is at least this; open scrub on dark soil stays green without reaching it. */
  treeMinPeakNdvi: 0.58,
  /** Tree that sheds leaves: min and mean NDVI above these and at most one cycle. A cut field falls below the min. */
  deciduousMinNdvi: 0.3,
  deciduousMeanNdvi: 0.52,
  /** ... and NDVI falls by less than this in `harvestSteps`: leaves take two months to fall, a cane field is cut in a week. */
  deciduousMaxDrop: 0.35,
  /**
   * Tree that stands leafless for months (dry deciduous forest): NDVI stays above the middle between its lowest and highest value for this many
   * steps (128 days; `longSeasonSteps` where it falls to bare soil, `harvestBareNdvi`, as a field does) and then falls slower than by a harvest. Leaves come within a month, stay for two or more and fall over four to
   * eight, which makes 135 days at least; a crop of 120 to 140 days stands above its middle for 80 to 110.
   */
  sheddingMinSteps: 8,
  /** ... from a peak of 0.6-0.9, to bark, litter and grass at 0.15-0.35; lower scrub stays scrub, a ploughed field is lower. */
  sheddingMinPeakNdvi: 0.6,
  sheddingMinNdvi: 0.15,

  /**
   * A growth cycle: least height and prominence of a peak of the smoothed NDVI. On 6,017 labelled fields a prominence of 0.1 counted better than
   * 0.2; below 0.12 what is left of haze counts.
   */
  cycleMinHeight: 0.35,
  cycleMinProminence: 0.12,
  /**
   * ... and as shares of the year's amplitude, so that weeds and autumn tillers beside a tall crop are none: a quarter in prominence, two fifths in height
   * (Liu et al. 2020, RSE 251:112095 take half; second crops with a thin canopy lie just below that).
   */
  cycleMinProminenceShare: 0.25,
  cycleMinShare: 0.4,
  /** ... and steps (64 days) that part two peaks: between them lie a harvest, a sowing and most of a season, and the shortest of field crops take 75 days (FAO-56, table 11). */
  cycleMinSpacing: 4,
  /**
   * A season that stands above its middle for more steps (160 days) than a crop does: cotton, the longest that no winter interrupts, is in the field for
   * 180 to 225 days, the first 30 to 45 and most of the last 45 to 55 of them below half of its canopy (Allen et al. 1998, FAO-56, table 11). With an
   * unseen stretch of `hiddenGapSteps` in it and a harvest at its end it is two crops; over a floor that is no bare field (`deciduousMinNdvi`), or
   * one slow fall, it is trees.
   */
  longSeasonSteps: 10,
  /** ... and for that many (176 days), seen through and cut in the end: a crop of a year or more. */
  perennialSteps: 11,

  /**
   * Poleward of this latitude growth sleeps in the cold months: mean temperatures fall below 5 degrees C, where the growing season ends by the definition
   * of the climate indices of WMO's ETCCDI (index GSL). Two peaks with nothing but winter between are one crop; the winter does not count for how
   * long a season is: winter cereals are in the field for 180 to 335 days (FAO-56), most of the difference asleep; and what is low then, under snow, low
   * sun and frozen leaves, is no bare ground.
   */
  dormantLatitude: 35,
  /** First and last day (after 1 July) between which the lowest point may lie: mid-November to late March. */
  dormantDays: [140, 270],
  /** ... where at their beginning this share of the first peak still stands; a field that was cut in autumn stands lower. */
  dormantMinShare: 0.5,

  /**
   * A kharif peak hidden by monsoon cloud: the first clear step after a gap of this many steps (48 days) still stands at `hiddenMinHeight`
   * and falls by `hiddenMinFall` to bare ground (`bareMaxNdvi`) within `harvestSteps`. Scrub and grass lose 0.05-0.15 in two months: the fall
   * is as large as that of a harvest that is seen.
   */
  hiddenGapSteps: 3,
  hiddenMinHeight: 0.28,
  hiddenMinFall: 0.18,
  bareMaxNdvi: 0.25,
  /** A series first seen at this core step or later (1 August) has an unknown start: a rise before it is assumed. */
  unseenStartSteps: 2,
  /** A series last seen this many steps before the year's end or earlier (nothing since 1 June) has an unknown end: a fall after it is assumed. */
  unseenEndSteps: 2,
  /** With fewer steps of a margin seen than this, a crop that is rising at the first or falling at the last of them is taken to do so from, or to, its foot. */
  unseenMarginSteps: 2,
  /** ... by more than this per step: less is noise on a level. */
  unseenMinSlope: 0.005,
  /** Last core step (0-based, midpoint 14 November) whose peak belongs to a kharif crop; later peaks are non-kharif. */
  kharifLastStep: 8,
  /** Steps (about 270 days) above `plateauMinNdvi`, with at most one cycle, that make an annual or perennial crop (sugarcane, plantation). */
  plateauSteps: 17,
  plateauMinNdvi: 0.5,

  /** Shrub: below this max NDVI a single cycle without a harvest is scrub; higher and slow is a tree or a long crop. */
  shrubMaxNdvi: 0.62,
  /** Harvest: NDVI falls by this much within `harvestSteps` (48 days) after its highest point ... */
  harvestMinDrop: 0.18,
  harvestSteps: 3,
  /**
   * ... and that fall is at least this share of the year's amplitude, or ends on bare ground after a season that is not long. A field is cut
   * within days; leaves that fall over four months (as half a cosine) lose at most 0.59 of it in 48 days, scrub dries over three or more.
   */
  harvestMinShare: 0.65,
  harvestBareNdvi: 0.22,

  /**
   * Share of a year's scenes that may be missing because their servers did not answer: one in twenty is about one date in four
   * months, less than a cloudy week takes. With more the run ends and is tried again.
   */
  maxMissingShare: 0.05,

  /** A built-up pixel with a smaller amplitude than this is a plain case of its class (see `confidence`): no season can be told from noise. */
  firmMaxAmplitude: 0.12,

  /** Temporal correction looks at the year before and the year after: fewer years are left as they are. */
  temporalMinYears: 3,
} as const;

/** NDVI etc. as int16 x 10000. */
export const scaled = (ratio: number): number => Math.round(ratio * 10_000);

/** Codes of the quality plane. */
export const QUALITY = { outside: 0, computed: 1, insufficient: 2, filled: 3, corrected: 4 } as const;
