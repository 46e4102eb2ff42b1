import type { Scene } from '@headwater/core';

/**
 * Order in which scenes of one day are read for a pixel: newest processing baseline first (an unknown one counts as the
 * oldest), then those in the work grid's own CRS (read without resampling), then the newest processing, then by id, the
 * later one first.
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
