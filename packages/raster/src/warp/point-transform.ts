import proj4 from 'proj4';
import { knownCrs } from './crs.ts';

/** Maps one point; x is longitude or easting, y latitude or northing. Not finite where the projection is not defined. */
export type PointTransform = (x: number, y: number) => readonly [number, number];

const NOWHERE = [Number.NaN, Number.NaN] as const;

/** Point transform between two known CRSs (`knownCrs`), x before y on both sides; throws `input_data` for others. */
export function pointTransform(from: string, to: string): PointTransform {
  const source = knownCrs(from);
  const target = knownCrs(to);
  if (source.epsg === target.epsg) return (x, y) => [x, y];
  const { forward } = proj4(source.proj, target.proj);
  return (x, y) => {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return NOWHERE;
    const [px = Number.NaN, py = Number.NaN] = forward([x, y]);
    return [px, py];
  };
}
