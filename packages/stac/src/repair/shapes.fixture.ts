import { sampleVector } from '../samples.fixture.ts';
import { validateItem } from '../validate/item.ts';

/** A closed, counter-clockwise ring. */
export const box = (...[west, south, east, north]: readonly [number, number, number, number]): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
/** The sample vector Item with another geometry and bbox. */
export const item = (geometry: unknown, bbox: unknown = [0, 0, 1, 1]): object => ({
  ...sampleVector(),
  geometry,
  bbox,
});
/** A polygon of these rings. */
export const polygon = (...coordinates: readonly unknown[]): object => ({ type: 'Polygon', coordinates });
/** Polygons without holes. */
export const polygons = (...exteriors: readonly unknown[]): object => ({
  type: 'MultiPolygon',
  coordinates: exteriors.map((ring) => [ring]),
});
/** Rule ids of the errors of a document under the profile `headwater`, without warnings. */
export const errorsOf = (document: unknown): string[] =>
  validateItem(document, 'headwater')
    .filter(({ severity }) => severity === 'error')
    .map(({ rule }) => rule);
