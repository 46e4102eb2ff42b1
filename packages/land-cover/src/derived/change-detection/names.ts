import type { LayerPlacement, LayerAbout } from '@headwater/layer-kit';
import type { ChangeName, ChangeLayer } from './layers.ts';
import type { LulcParams } from '../../request/request.ts';
import { thenYears } from './transitions.ts';

/** Workspace of all change layers. */
export const CHANGE_WORKSPACE = 'change_detection';

/** Parts of Item ids, as in the list of layers of the CoRE Stack. */
const ITEMS: Readonly<Record<ChangeName, string>> = {
  Urbanization: 'change_urbanization',
  Degradation: 'change_cropping_reduction',
  Deforestation: 'change_tree_cover_loss',
  Afforestation: 'change_tree_cover_gain',
  CropIntensity: 'change_cropping_intensity',
};

/** Last part of a change layer's Item id. */
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

/** Texts of a change layer, without Item id and description. */
export function changeTexts(
  layer: ChangeLayer,
  { startYear, endYear }: LulcParams,
): Omit<LayerAbout, 'layer' | 'description'> {
  const lastThen = startYear + thenYears(endYear - startYear + 1) - 1;
  const before =
    lastThen === startYear ? `of hydrological year ${startYear}` : `of hydrological years ${startYear} to ${lastThen}`;
  const span = lastThen + 1 === endYear ? `of ${endYear}` : `of ${lastThen + 1} to ${endYear}`;
  return {
    title: layer.title,
    procedure:
      `\`then\` is the most frequent class ${before}, \`now\` is the most frequent class ${span}; class 0 is ignored if a known class occurs, and the lowest of equally frequent codes is used. ` +
      (layer.isForest
        ? 'Before this comparison, single years are smoothed: a year with trees between two years without trees, or a year without trees between two years with trees. Only pixels with three or four single years change. The maps made on Earth Engine test for class 3 (water) instead of trees by mistake.'
        : ''),
    lineage: `Comparison of the most frequent classes of yearly land-cover rasters, ${startYear} to ${endYear}`,
    keywords: ['change detection', layer.title.toLowerCase()],
    years: [startYear, endYear],
  };
}
