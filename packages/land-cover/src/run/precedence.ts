import type { Scene } from '@headwater/core';

/**
 * Order in which the scenes of one day are read: newest baseline, then the CRS of the work grid (no resampling), then
 * newest processing, then later id. An unknown baseline is the oldest.
 */
export function byPrecedence(crs: string): (a: Scene, b: Scene) => number {
  const keys = ({ processing, crs: own, id }: Scene): readonly [string, string, string, string] => [
    processing.baseline ?? '',
    own === crs ? '1' : '0',
    processing.at ?? '',
    id,
  ];
  return (a, b) => {
    const theirs = keys(b);
    const differing = keys(a).map((key, i) => compare(theirs[i] ?? '', key));
    return differing.find((order) => order !== 0) ?? 0;
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
