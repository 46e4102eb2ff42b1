import type { LulcParams } from '../../request/request.ts';
import type { Words } from '../shared/described.ts';
import type { ChangeLayer } from './layers.ts';
import { THEN_YEARS } from './transitions.ts';

/** What a change layer says of itself. */
export function changeWords(layer: ChangeLayer, { startYear, endYear }: LulcParams, intro: string): Words {
  const lastThen = startYear + THEN_YEARS - 1;
  const span = lastThen + 1 === endYear ? `of ${endYear}` : `of ${lastThen + 1} to ${endYear}`;
  return {
    title: layer.title,
    intro,
    method:
      `then is the most frequent class of hydrological years ${startYear} to ${lastThen}, now that ${span}; class 0 never counts against a known class, of equals the lowest code wins. ` +
      (layer.isForest
        ? 'Before that, lone years of trees, or without them, are smoothed in pixels that have three or four of them; the maps made on Earth Engine look at class 3 (water) there, where trees are meant.'
        : ''),
    lineage: `Modes of yearly land-cover rasters compared, ${startYear} to ${endYear}`,
    keywords: ['change detection', layer.title.toLowerCase()],
    years: [startYear, endYear],
  };
}
