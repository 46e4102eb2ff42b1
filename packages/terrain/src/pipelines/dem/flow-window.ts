import type { Surroundings } from './dem-run.ts';

/**
 * Metres around a place over which flow is computed: small streams that come from beyond its border have all of their land within, rivers
 * have not, whatever the margin.
 */
const FLOW_MARGIN = 5000;

/** Surroundings of layers that follow from flow. */
export const FLOW_SURROUNDINGS: Surroundings = {
  metres: FLOW_MARGIN,
  note: ({ isWhole, pixelMetres }) =>
    [
      `Flow is computed on pixels of ${Math.round(pixelMetres)} m over the place and ${FLOW_MARGIN / 1000} km around it${isWhole ? '' : '; elevations are known for a part of that only'}.`,
      'Water from farther away is not counted: a river that enters this window begins at its border, with too little land and too low an order.',
      'Depressions are filled to their spill (Barnes et al. 2014); on flats and lakes water takes the shortest way to it. Pixels without elevation (holes, sea) take water and give none.',
    ].join(' '),
};
