/** Coordinates of the edges of a box, in any unit (degrees or metres). */
export type Box = Readonly<Record<'west' | 'south' | 'east' | 'north', number>>;

/** The closed outline of a box, counter-clockwise. */
export function boxRing(box: Box): [number, number][];

/** The closed outline of a box as a GeoJSON Polygon. */
export function boxPolygon(box: Box): { readonly type: 'Polygon'; readonly coordinates: [number, number][][] };
