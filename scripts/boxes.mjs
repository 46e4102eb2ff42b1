export const boxRing = ({ west, south, east, north }) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

export const boxPolygon = (box) => ({ type: 'Polygon', coordinates: [boxRing(box)] });
