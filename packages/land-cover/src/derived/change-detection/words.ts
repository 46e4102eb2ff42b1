import type { LayerAbout } from '@headwater/layer-kit';
import type { LulcParams } from '../../request/request.ts';
import type { ChangeLayer } from './layers.ts';
import { thenYears } from './transitions.ts';

/** Texts of a change layer but its Item's id and description. */
export function changeWords(
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
      `then is the most frequent class ${before}, now that ${span}; class 0 never counts against a known class, of equals the lowest code wins. ` +
      (layer.isForest
        ? 'Before that, lone years of trees, or without them, are smoothed in pixels that have three or four of them; the maps made on Earth Engine look at class 3 (water) there, where trees are meant.'
        : ''),
    lineage: `Modes of yearly land-cover rasters compared, ${startYear} to ${endYear}`,
    keywords: ['change detection', layer.title.toLowerCase()],
    years: [startYear, endYear],
  };
}
