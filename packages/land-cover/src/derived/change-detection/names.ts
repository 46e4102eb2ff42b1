import type { LayerPlacement } from '@headwater/layer-kit';
import type { ChangeName } from './layers.ts';

/** Workspace of all change layers. */
export const CHANGE_WORKSPACE = 'change_detection';

/** Part of the Item id of each change layer, as in the published list of layers. */
const ITEMS: Readonly<Record<ChangeName, string>> = {
  Urbanization: 'change_urbanization',
  Degradation: 'change_cropping_reduction',
  Deforestation: 'change_tree_cover_loss',
  Afforestation: 'change_tree_cover_gain',
  CropIntensity: 'change_cropping_intensity',
};

/** Last part of the id of a change layer's Item. */
export const changeItem = (name: ChangeName, form: 'raster' | 'vector'): string => `${ITEMS[name]}_${form}`;

/** Names of a change raster. */
export const changeRaster = (name: ChangeName): LayerPlacement => ({
  workspace: CHANGE_WORKSPACE,
  dataset: 'Change Detection Raster',
  layerName: (place) => `change_${place}_${name}`,
});

/** Names of a change vector. */
export const changeVector = (name: ChangeName): LayerPlacement => ({
  workspace: CHANGE_WORKSPACE,
  dataset: 'Change Detection Vector',
  layerName: (place) => `change_vector_${place}_${name}`,
});
