export { knownCrs } from './crs.ts';
export type { KnownCrs } from './crs.ts';
export { pointTransform } from './point-transform.ts';
export type { PointTransform } from './point-transform.ts';
export { sourceCoordinates } from './coordinates.ts';
export type { Coordinates, PixelWindow } from './coordinates.ts';
