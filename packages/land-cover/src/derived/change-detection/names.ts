import type { LayerSpec } from '../shared/described.ts';
import type { ChangeName } from './layers.ts';

/** Workspace of all change layers. */
export const CHANGE_WORKSPACE = 'change_detection';

/** What the published list of layers calls each in ids of Items. */
const ITEMS: Readonly<Record<ChangeName, string>> = {
  Urbanization: 'change_urbanization',
  Degradation: 'change_cropping_reduction',
  Deforestation: 'change_tree_cover_loss',
  Afforestation: 'change_tree_cover_gain',
  CropIntensity: 'change_cropping_intensity',
};

/** Names of a change raster. */
export const changeRaster = (name: ChangeName): LayerSpec => ({
  workspace: CHANGE_WORKSPACE,
  layer: (place) => `change_${place}_${name}`,
  dataset: 'Change Detection Raster',
  item: `${ITEMS[name]}_raster`,
});

/** Names of a change vector. */
export const changeVector = (name: ChangeName): LayerSpec => ({
  workspace: CHANGE_WORKSPACE,
  layer: (place) => `change_vector_${place}_${name}`,
  dataset: 'Change Detection Vector',
  item: `${ITEMS[name]}_vector`,
});
