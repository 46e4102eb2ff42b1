import type { Box } from '@headwater/core';

/** Counter-clockwise rectangle. */
export const boxPolygon = ([w, s, e, n]: Box) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [w, s],
      [e, s],
      [e, n],
      [w, n],
      [w, s],
    ],
  ],
});
