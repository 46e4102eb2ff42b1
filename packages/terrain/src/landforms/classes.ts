/** A group of landforms that is counted per micro-watershed. */
export type TerrainGroup = 'plain' | 'slopy' | 'hill_slope' | 'ridge' | 'valley';

/** A landform of the terrain raster. */
export interface Landform {
  readonly code: number;
  /** Slug for `classification:classes`; the published style's name in lower case. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `#rrggbb` of the published style. */
  readonly color: string;
  readonly group: TerrainGroup;
}

/**
 * Landforms 1 to 11 of the published raster, after Weiss (2001, ESRI User Conference). Colours and groups:
 * core-stack-org/QGIS-Styles `terrain_1-12class.qml`.
 */
export const LANDFORMS: readonly Landform[] = [
  form(1, ['v-shape_river_valleys_and_deep_narrow_canyons', 'V-shaped valleys and deep narrow canyons'], {
    description: 'Lower than the land near it and the land further away',
    color: '#313695',
    group: 'valley',
  }),
  form(
    2,
    ['lateral_midslope_incised_drainages_and_local_valleys_in_plains', 'Midslope drainages and valleys in plains'],
    {
      description: 'Lower than the land near it, as high as the land further away',
      color: '#4575b4',
      group: 'valley',
    },
  ),
  form(3, ['upland_incised_drainages_and_stream_headwaters', 'Upland drainages and headwaters'], {
    description: 'Lower than the land near it, higher than the land further away',
    color: '#a50026',
    group: 'ridge',
  }),
  form(4, ['u-shape_valleys', 'U-shaped valleys'], {
    description: 'As high as the land near it, lower than the land further away',
    color: '#e0f3f8',
    group: 'valley',
  }),
  form(5, ['broad_flat_areas', 'Broad flat areas'], {
    description: 'As high as its surroundings, slope below 5 degrees',
    color: '#fffc00',
    group: 'plain',
  }),
  form(6, ['broad_open_slopes', 'Broad open slopes'], {
    description: 'As high as its surroundings, slope of 5 to 20 degrees',
    color: '#feb24c',
    group: 'slopy',
  }),
  form(7, ['mesa_tops', 'Mesa tops'], {
    description: 'As high as the land near it, higher than the land further away, slope below 6 degrees',
    color: '#f46d43',
    group: 'ridge',
  }),
  form(8, ['upper_slopes', 'Upper slopes'], {
    description:
      'As high as the land near it, and higher than the land further away or with a slope of 20 degrees or more',
    color: '#d73027',
    group: 'hill_slope',
  }),
  form(9, ['local_ridge_or_hilltops_within_broad_valleys', 'Ridges and hilltops within broad valleys'], {
    description: 'Higher than the land near it, lower than the land further away',
    color: '#91bfdb',
    group: 'valley',
  }),
  form(10, ['lateral_midslope_drainage_divides_or_local_ridges_in_plains', 'Midslope divides and ridges in plains'], {
    description: 'Higher than the land near it, as high as the land further away',
    color: '#800000',
    group: 'ridge',
  }),
  form(11, ['mountain_tops_or_high_ridges', 'Mountain tops and high ridges'], {
    description: 'Higher than the land near it and the land further away',
    color: '#4d0000',
    group: 'ridge',
  }),
];

function form(
  code: number,
  [name, title]: readonly [string, string],
  rest: Pick<Landform, 'description' | 'color' | 'group'>,
): Landform {
  return { code, name, title, ...rest };
}

/** Codes of a group's landforms. */
export function landformCodes(group: TerrainGroup): readonly number[] {
  return LANDFORMS.filter((landform) => landform.group === group).map(({ code }) => code);
}
