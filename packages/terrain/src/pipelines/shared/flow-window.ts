import type { Surroundings } from './dem-run.ts';

/**
 * Metres around a place over which flow is computed: small streams that come from beyond its border have all of their land within, rivers
 * have not, whatever the margin.
 */
const FLOW_MARGIN = 5000;

/**
 * Pixels over which flow is computed at most: at some 45 bytes for each (70 with drainage lines) its thread stays below 1.5 GB. A tehsil of
 * 80 km and its margin have 9 million of 30 m.
 */
const MOST_PIXELS = 20_000_000;

/** Surroundings of layers that follow from flow. */
export const FLOW_SURROUNDINGS: Surroundings = {
  metres: FLOW_MARGIN,
  most: MOST_PIXELS,
  note: ({ isWhole, pixelMetres }) =>
    [
      `Flow is computed on pixels of ${Math.round(pixelMetres)} m over the place and ${FLOW_MARGIN / 1000} km around it${isWhole ? '' : '; elevations are known for a part of that only'}.`,
      'Water from farther away is not counted: a river that enters this window begins at its border, with too little land and too low an order.',
      'Depressions are filled to their spill (Barnes et al. 2014); on flats and lakes water takes the shortest way to it. Pixels without elevation (holes, sea) take water and give none.',
    ].join(' '),
};
