import type { Box } from '@headwater/core';

const TURN = 360;

const eastOf = ([west, , east]: Box): number => (west <= east ? east : east + TURN);

/**
 * True if two lon/lat boxes overlap or touch. A box that crosses longitude 180 has west > east, or a longitude below
 * -180 or above 180.
 */
export function boxesTouch(one: Box, other: Box): boolean {
  if (one[1] > other[3] || one[3] < other[1]) return false;
  return [-TURN, 0, TURN].some((by) => one[0] + by <= eastOf(other) && eastOf(one) + by >= other[0]);
}

/**
 * Box for searches (RFC 7946): longitudes from -180 to 180. In a box that crosses longitude 180, west is greater than
 * east.
 */
export function searchableBox(box: Box): Box {
  const [west, south, east, north] = box;
  if (west >= -TURN / 2 && east <= TURN / 2) return box;
  if (east - west >= TURN) return [-TURN / 2, south, TURN / 2, north];
  const onEarth = (lon: number): number => lon - TURN * Math.round(lon / TURN);
  return [onEarth(west), south, onEarth(east), north];
}
