/** Coordinate system of the map: square on the ground near each point, as a scale bar needs it. */
export const MAP_CRS = 'EPSG:3857';
