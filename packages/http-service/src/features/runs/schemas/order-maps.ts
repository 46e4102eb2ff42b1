/** A layer of an order, and the layers (`after`) that must succeed first. */
export interface MapNode {
  readonly node: string;
  readonly after: readonly string[];
}

const root = (node: string): MapNode => ({ node, after: [] });
const after = (parent: string, ...nodes: readonly string[]): readonly MapNode[] =>
  nodes.map((node) => ({ node, after: [parent] }));

/**
 * Layers that `generate_layer_in_order/` starts, by the name of the map in the request (`map_1` and others). Existing
 * clients expect these layers in this order.
 */
export const ORDER_MAPS = {
  map_1: [root('generate_block_layer'), ...after('generate_block_layer', 'generate_nrega_layer', 'generate_mws_layer')],
  map_2_1: [root('hydrology_fortnightly'), root('hydrology_annual')],
  map_2_2: [
    root('lulc_v3'),
    ...after('lulc_v3', 'lulc_vector', 'generate_ci_layer', 'generate_swb', 'generate_drought_layer'),
    ...after('generate_drought_layer', 'mws_drought_causality'),
    ...after('lulc_v3', 'crop_grid', 'change_detection'),
    ...after('change_detection', 'change_detection_vector'),
  ],
  map_3: [
    root('restoration_opportunity'),
    root('aquifer_vector'),
    root('generate_terrain_raster'),
    ...after(
      'generate_terrain_raster',
      'generate_terrain_descriptor',
      'terrain_lulc_slope_cluster',
      'terrain_lulc_plain_cluster',
    ),
  ],
  map_4: [
    root('soge_vector'),
    root('stream_order'),
    root('generate_drainage_layer'),
    ...after('generate_drainage_layer', 'generate_clart'),
    root('tree_health_raster'),
    ...after('tree_health_raster', 'tree_health_vector'),
  ],
} as const satisfies Readonly<Record<string, readonly MapNode[]>>;
