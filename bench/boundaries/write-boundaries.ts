import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import type { Position } from 'geojson';

const [OF_DISTRICT, OF_STATE] = [10, 20] as const;
const SIDE = 0.3;
/** Numbers of corners of a boundary; published boundaries have about as many. */
const [TEHSIL_CORNERS, MWS_CORNERS] = [400, 32] as const;

/** Numbers of generated features. */
export interface Size {
  readonly tehsils: number;
  readonly mws: number;
}

function ring([x, y]: readonly [number, number], radius: number, corners: number): Position[] {
  const open = Array.from({ length: corners }, (_, i): Position => {
    const angle = (2 * Math.PI * i) / corners;
    const reach = radius * (0.9 + 0.1 * Math.sin(7 * angle));
    return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)];
  });
  return [...open, [...(open[0] ?? [])]];
}

const namesOf = (tehsil: number): Readonly<Record<string, string>> => ({
  state: `State ${Math.floor(tehsil / OF_DISTRICT / OF_STATE)}`,
  district: `District ${Math.floor(tehsil / OF_DISTRICT)}`,
  tehsil: `Tehsil ${tehsil}`,
});

const cornerOf = (tehsil: number): readonly [number, number] => [
  68 + (tehsil % 80) * SIDE,
  8 + Math.floor(tehsil / 80) * SIDE,
];

function* places({ tehsils }: Size): Generator<object> {
  for (let t = 0; t < tehsils; t += 1) {
    const [west, south] = cornerOf(t);
    yield feature(namesOf(t), ring([west + SIDE / 2, south + SIDE / 2], SIDE / 2, TEHSIL_CORNERS));
  }
}

function* mws({ tehsils, mws: count }: Size): Generator<object> {
  const columns = Math.ceil(Math.sqrt(count));
  // The micro-watersheds fill a square inside the tehsil's round boundary: an import rejects micro-watersheds outside
  // their tehsil.
  const side = (SIDE * Math.SQRT1_2) / columns;
  const margin = (SIDE * (1 - Math.SQRT1_2)) / 2;
  for (let t = 0; t < tehsils; t += 1) {
    const [west, south] = cornerOf(t);
    for (let m = 0; m < count; m += 1) {
      const [column, row] = [m % columns, Math.floor(m / columns)];
      const middle = [west + margin + (column + 0.5) * side, south + margin + (row + 0.5) * side] as const;
      yield feature({ ...namesOf(t), uid: `${t}_${m}` }, ring(middle, side / 2, MWS_CORNERS));
    }
  }
}

const feature = (properties: Readonly<Record<string, string>>, outer: readonly Position[]): object => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates: [outer] },
});

/** Writes a FeatureCollection of tehsils (`places`) or micro-watersheds (`mws`), one feature per line. */
export async function writeBoundaries(path: string, kind: 'places' | 'mws', size: Size): Promise<void> {
  const out = createWriteStream(path);
  out.write('{"type":"FeatureCollection","features":[');
  let separator = '\n';
  for (const each of kind === 'places' ? places(size) : mws(size)) {
    if (!out.write(separator + JSON.stringify(each))) await once(out, 'drain');
    separator = ',\n';
  }
  out.end('\n]}\n');
  await once(out, 'close');
}
