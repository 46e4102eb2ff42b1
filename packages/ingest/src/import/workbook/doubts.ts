import type { TableCell } from '@headwater/core';

/** Surface of the Earth: 510.1 million km2 (the ellipsoid of WGS 84), in the unit of columns by the end of their names. */
const MOST: readonly (readonly [pattern: RegExp, unit: string, most: number])[] = [
  [/_in_ha(_|$)/, 'ha', 5.101e10],
  [/_sqkm_/, 'km2', 5.101e8],
];
const LEAST_MOST = Math.min(...MOST.map(([, , most]) => most));
const COUNT = /_count(_|$)/;

/** Why a number of a column of areas or counts cannot be, such as `-4 is below 0`; undefined for every other cell. */
export function doubtOf(name: string, cell: TableCell): string | undefined {
  // Most cells are looked at no further than this.
  if (typeof cell !== 'number' || (cell >= 0 && cell <= LEAST_MOST)) return undefined;
  const area = MOST.find(([pattern]) => pattern.test(name));
  if (area === undefined && !COUNT.test(name)) return undefined;
  if (cell < 0) return `${cell} is below 0`;
  if (area === undefined || cell <= area[2]) return undefined;
  return `${cell} ${area[1]} is more than the Earth has`;
}
