import type { Cql2Geometry } from '@headwater/cql2';

const square = (west: number, south: number, side: number): Ring => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
];
type Ring = [number, number][];
/** Invalid shapes that users draw, such as a bow tie or a polygon with a hole outside of its outline. */
export const DRAWN: readonly Cql2Geometry[] = [
  {
    type: 'Polygon',
    coordinates: [
      [
        [-2, -2],
        [2, 2],
        [2, -2],
        [-2, 2],
        [-2, -2],
      ],
    ],
  },
  {
    type: 'Polygon',
    coordinates: [
      [
        [0, 2],
        [1.25, -1.75],
        [-2, 0.5],
        [2, 0.5],
        [-1.25, -1.75],
        [0, 2],
      ],
    ],
  },
  { type: 'Polygon', coordinates: [square(-1, -1, 2), square(0, 0, 2)] },
  {
    type: 'Polygon',
    coordinates: [
      square(-2, -2, 3),
      [
        [-2, -1],
        [-2, 0],
        [-1, 0],
        [-1, -1],
        [-2, -1],
      ],
    ],
  },
  { type: 'MultiPolygon', coordinates: [[square(-1, -1, 1.5)], [square(0, 0, 1.5)], [square(1.5, 0, 0.5)]] },
  {
    type: 'Polygon',
    coordinates: [
      [
        [-1, -1],
        [1, 1],
        [-1, -1],
        [-1, -1],
      ],
    ],
  },
  {
    type: 'GeometryCollection',
    geometries: [
      { type: 'Polygon', coordinates: [square(-1, -1, 1.5)] },
      { type: 'Point', coordinates: [1.5, 1.5] },
      { type: 'Polygon', coordinates: [square(0, 0, 1)] },
      {
        type: 'LineString',
        coordinates: [
          [-2, 1],
          [-1, 2],
        ],
      },
    ],
  },
];
