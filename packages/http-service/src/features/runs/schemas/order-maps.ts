/** A layer of a map: the route that makes it, and the nodes, all of them before it, that have to succeed first. */
export interface MapNode {
  /** Route of a pipeline, or one of its aliases. */
  readonly node: string;
  readonly after: readonly string[];
}

const first = (node: string): MapNode => ({ node, after: [] });
const behind = (parent: string, ...nodes: readonly string[]): readonly MapNode[] =>
  nodes.map((node) => ({ node, after: [parent] }));

/** The maps of `generate_layer_in_order/`, as the live system orders them (wire-contract 3.5). */
export const ORDER_MAPS = {
  map_1: [
    first('generate_block_layer'),
    ...behind('generate_block_layer', 'generate_nrega_layer', 'generate_mws_layer'),
  ],
  map_2_1: [first('hydrology_fortnightly'), first('hydrology_annual')],
  map_2_2: [
    first('lulc_v3'),
    ...behind('lulc_v3', 'lulc_vector', 'generate_ci_layer', 'generate_swb', 'generate_drought_layer'),
    ...behind('generate_drought_layer', 'mws_drought_causality'),
    ...behind('lulc_v3', 'crop_grid', 'change_detection'),
    ...behind('change_detection', 'change_detection_vector'),
  ],
  map_3: [
    first('restoration_opportunity'),
    first('aquifer_vector'),
    first('generate_terrain_raster'),
    ...behind(
      'generate_terrain_raster',
      'generate_terrain_descriptor',
      'terrain_lulc_slope_cluster',
      'terrain_lulc_plain_cluster',
    ),
  ],
  map_4: [
    first('soge_vector'),
    first('stream_order'),
    first('generate_drainage_layer'),
    ...behind('generate_drainage_layer', 'generate_clart'),
    first('tree_health_raster'),
    ...behind('tree_health_raster', 'tree_health_vector'),
  ],
} as const satisfies Readonly<Record<string, readonly MapNode[]>>;
