import { type ComputedPlace, type TableColumn, yearFields, type ZonalAreas } from '@headwater/core';
import { type FeatureRow, hectares, placeParams, placeRequest, type VectorStyle } from '@headwater/layer-kit';
import { z } from 'zod';
import { type CoveredTerrain, landCoverOfAreas, terrainPercentages } from '../../zones/land-cover-by-terrain.ts';
import { CLUSTER_COLUMNS, clusterRows } from '../terrain-descriptor/cluster-rows.ts';

/** Request for land cover on terrain: a tehsil, hydrological years and an Earth-observation account. */
export const terrainLulcRequest = z.object({ ...placeRequest.shape, ...yearFields });

/** A request for land cover on terrain; names are spelled as the client sent them. */
export type TerrainLulcRequest = Readonly<z.infer<typeof terrainLulcRequest>>;

/** Resolved parameters, as a run stores them. */
export const terrainLulcParams = z.object({ ...placeParams.shape, startYear: z.int(), endYear: z.int() });

/** Parameters of a run. */
export type TerrainLulcParams = Readonly<z.infer<typeof terrainLulcParams>>;

/** A kind of land cover with its share, in any unit. */
export interface CoverShare {
  readonly title: string;
  readonly share: number;
}

/**
 * Name of the dominant cover: `Mostly Tree/Forests`, or the two largest kinds if no kind has half of the shares.
 * Undefined if all shares are 0.
 */
export function dominantCover(kinds: readonly CoverShare[]): string | undefined {
  const total = kinds.reduce((sum, { share }) => sum + share, 0);
  const [first, second] = kinds.filter(({ share }) => share > 0).toSorted((a, b) => b.share - a.share);
  if (first === undefined) return undefined;
  if (second === undefined || first.share >= total / 2) return `Mostly ${first.title}`;
  return `${first.title} and ${second.title}`;
}

/** Columns of shares, named as in the CoRE Stack backend. `code` is the land-cover class. */
const SHARES = [
  { name: 'barren', code: 7, title: 'Barren land', kind: 'Barrenlands' },
  { name: 'forests', code: 6, title: 'Trees or forest', kind: 'Tree/Forests' },
  { name: 'shrub_scrubs', code: 12, title: 'Shrubs and scrub', kind: 'Shrubs&Scrubs' },
  { name: 'single_kharif', code: 8, title: 'A single kharif crop', kind: 'Single Cropped' },
  { name: 'single_non_kharif', code: 9, title: 'A single crop outside of kharif', kind: 'Single Cropped' },
  { name: 'double_cropping', code: 10, title: 'Two crops', kind: 'Double Cropped' },
  { name: 'triple_cropping', code: 11, title: 'Three crops, or crops all year', kind: 'Triple Cropped' },
] as const;
const KINDS = [...new Set(SHARES.map(({ kind }) => kind))];
const shareName = (name: string): string => `${name}_area_percent`;

/**
 * Terrain clusters with a `cluster_name`, as in the CoRE Stack backend. Other clusters have too few slopes or
 * too few plains.
 */
const NAMED_CLUSTERS: Readonly<Record<CoveredTerrain, readonly number[]>> = { slope: [0, 3], plain: [0, 1, 3] };

/** Areas in hectares: for each uid of a micro-watershed, an array of 256 areas by code. */
export interface TerrainAreas {
  /** Areas by code of `landCoverCodes`. */
  readonly codes: ZonalAreas;
  readonly landforms: ZonalAreas;
}

/** Rows of the layer and of the sheet, in the order of the place's micro-watersheds. */
export const terrainLulcRows = (
  job: Pick<ComputedPlace, 'mws'>,
  terrain: CoveredTerrain,
  areas: TerrainAreas,
): readonly FeatureRow[] =>
  clusterRows(job, areas.landforms, ({ cluster }, uid) => {
    const covered = landCoverOfAreas(areas.codes[uid] ?? []);
    const percent = terrainPercentages(
      covered,
      terrain,
      SHARES.map(({ code }) => code),
    );
    const isNamed = cluster !== undefined && NAMED_CLUSTERS[terrain].includes(cluster.id);
    return {
      cluster_name: (isNamed && percent !== undefined ? nameOf(percent) : undefined) ?? null,
      ...Object.fromEntries(SHARES.map(({ name }, index) => [shareName(name), percent?.[index] ?? null])),
      [UNSEEN]: covered.plainAndSlope + covered.unseen > 0 ? covered.unseen : null,
    };
  });

/** Name of the dominant cover. Single crops of all seasons count as one kind. */
function nameOf(percent: readonly number[]): string | undefined {
  const shareOf = (kind: string): number =>
    SHARES.reduce((sum, share, index) => sum + (share.kind === kind ? (percent[index] ?? 0) : 0), 0);
  return dominantCover(KINDS.map((kind) => ({ title: kind, share: shareOf(kind) })));
}

const UNSEEN = 'unseen_area_in_ha';

/** Columns of the layer and of the sheet. */
export const terrainLulcColumns = (
  terrain: CoveredTerrain,
  { startYear, endYear }: Pick<TerrainLulcParams, 'startYear' | 'endYear'>,
): readonly TableColumn[] => [
  ...CLUSTER_COLUMNS,
  {
    name: 'cluster_name',
    type: 'text',
    description: `Dominant cover of the ${terrain}s of the micro-watershed; null if all shares are 0 or null, and in terrain cluster ${NAMELESS[terrain]}, where ${terrain}s are too few`,
  },
  ...SHARES.map(({ name, title }) => ({
    name: shareName(name),
    type: 'number' as const,
    unit: '%',
    description: `${title} on ${terrain}s, percent of all plains and slopes whose cover is known, hydrological years ${startYear} to ${endYear}; null without plains and slopes, and if the cover of less than half of them is known`,
  })),
  hectares(
    UNSEEN,
    `Plains and slopes whose cover is unknown in every hydrological year from ${startYear} to ${endYear}, hectares`,
  ),
];

const NAMELESS: Readonly<Record<CoveredTerrain, string>> = { slope: '1 or 2', plain: '2' };

/** Style with five classes of the share of trees (slopes) or of double crops (plains). */
export function terrainLulcStyle(terrain: CoveredTerrain): VectorStyle {
  const shown = terrain === 'slope' ? SHARES[1] : SHARES[5];
  return {
    attribute: shareName(shown.name),
    title: `${shown.title} on ${terrain}s, percent of all plains and slopes whose cover is known`,
    limits: [0, 20, 40, 60, 80, 100],
    colors: ['#f7fcf5', '#c7e9c0', '#74c476', '#238b45', '#00441b'],
  };
}
