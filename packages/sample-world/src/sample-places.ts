import type { PlaceBundle } from '@headwater/core';
import { pointTransform } from '@headwater/raster';
import type { Polygon, Position } from 'geojson';
import { growRegions, NO_REGION } from './cell-growth.ts';
import { chance } from './random.ts';
import { SAMPLE_PLACE, type SampleFrame, SIZE } from './sample-frame.ts';

type Node = number;

/**
 * Outline of the cells for which `member` is true: one closed ring of nodes, counter-clockwise as in GeoJSON. The
 * cells must form one piece without holes, and must not touch only at a corner.
 */
function outline(side: number, member: (cell: number) => boolean): Node[] {
  const leaving = new Map<Node, Node>();
  const nodes = side + 1;
  const has = (row: number, col: number): boolean =>
    row >= 0 && col >= 0 && row < side && col < side && member(row * side + col);
  const edge = (from: Node, to: Node): void => {
    if (leaving.has(from)) throw new Error('A generated polygon of the sample touches itself at a corner');
    leaving.set(from, to);
  };
  for (let row = 0; row < side; row += 1) {
    for (let col = 0; col < side; col += 1) {
      if (!has(row, col)) continue;
      const at = row * nodes + col;
      if (!has(row - 1, col)) edge(at + 1, at);
      if (!has(row, col - 1)) edge(at, at + nodes);
      if (!has(row + 1, col)) edge(at + nodes, at + nodes + 1);
      if (!has(row, col + 1)) edge(at + nodes + 1, at + 1);
    }
  }
  return walk(leaving);
}

function walk(leaving: ReadonlyMap<Node, Node>): Node[] {
  const [first] = leaving.keys();
  if (first === undefined) throw new Error('A generated polygon of the sample is empty');
  const ring: Node[] = [first];
  for (let node = leaving.get(first); node !== first; node = leaving.get(node)) {
    if (node === undefined || ring.length > leaving.size)
      throw new Error('The outline of a generated polygon of the sample is open');
    ring.push(node);
  }
  if (ring.length !== leaving.size) throw new Error('A generated polygon of the sample has a hole');
  ring.push(first);
  return ring;
}

/** Side of a cell in a sample of one block, m. With n x n blocks, the side of a cell is n times as long. */
const CELL = 40;
/** Number of empty cells at each side, so that every scene covers the whole tehsil. */
const MARGIN = 2;
const SIDE = (SIZE * 10) / CELL - 2 * MARGIN;
/** Number of micro-watersheds, and their least number of cells. In a sample of 20 km, each has about 7 km2. */
const MWS = { block: { count: 20, minCells: 170 }, larger: { count: 40, minCells: 80 } } as const;
const VILLAGE_NAMES = [
  'Ambhari',
  'Belkura',
  'Chandrota',
  'Dhanvali',
  'Gomtara',
  'Harsoni',
  'Jhilwara',
  'Kesartal',
  'Lohanda',
  'Mahurpani',
  'Neemgarha',
  'Palashi Khurd',
] as const;

/**
 * Creates the sample's tehsil: boundary, micro-watersheds and villages in lon/lat, with identical nodes on shared
 * borders.
 */
export function samplePlace(seed: number, frame: SampleFrame): PlaceBundle {
  const board = { side: SIDE, inside: tehsilCells(seed) };
  const mws = frame.blocks === 1 ? MWS.block : MWS.larger;
  const watersheds = growRegions(board, { ...mws, seed: seed + 301 });
  const villages = growRegions(board, { count: VILLAGE_NAMES.length, minCells: 180, seed: seed + 302 });
  const toLonLat = pointTransform(frame.grid10m.crs, 'EPSG:4326');
  const polygon = (member: (cell: number) => boolean): Polygon => ({
    type: 'Polygon',
    coordinates: [outline(SIDE, member).map((node) => position(node, { seed, frame, toLonLat }))],
  });
  return {
    ...SAMPLE_PLACE,
    geometry: polygon((cell) => watersheds[cell] !== NO_REGION),
    mws: Array.from({ length: mws.count }, (_, i) => ({
      uid: `12_${100_174 + 3 * i}`,
      geometry: polygon((cell) => watersheds[cell] === i),
    })),
    villages: VILLAGE_NAMES.map((name, i) => ({
      id: 990_101 + i,
      name,
      geometry: polygon((cell) => villages[cell] === i),
    })),
  };
}

function tehsilCells(seed: number): Uint8Array {
  const cells = Uint8Array.from({ length: SIDE * SIDE }, (_, cell) => {
    const y = (2 * Math.floor(cell / SIDE) + 1) / SIDE - 1;
    const x = (2 * (cell % SIDE) + 1) / SIDE - 1;
    const reach = (Math.abs(x) ** 5 + Math.abs(y) ** 5) ** 0.2;
    return reach < rim(seed, Math.atan2(y, x)) ? 1 : 0;
  });
  return fillNotches(cells);
}

/** Distance of the tehsil's rim from the centre, as a share of the square's half side: about 0.93, with waves. */
function rim(seed: number, angle: number): number {
  let reach = 0.925;
  for (const times of [2, 3, 5, 8, 13, 21, 34])
    reach += (0.05 / Math.sqrt(times)) * Math.cos(times * angle + 6.283 * chance(seed, times, 306));
  return Math.min(1, reach);
}

/** Fills cells between two inner cells that meet only at a corner, so that the outline does not touch itself. */
function fillNotches(cells: Uint8Array): Uint8Array {
  for (let changed = true; changed;) {
    changed = false;
    for (let cell = 0; cell < cells.length - SIDE; cell += 1) {
      if (cell % SIDE === SIDE - 1) continue;
      const [a, b, c, d] = [cells[cell], cells[cell + 1], cells[cell + SIDE], cells[cell + SIDE + 1]];
      if (a !== d || b !== c || a === b) continue;
      cells[a === 0 ? cell : cell + 1] = 1;
      changed = true;
    }
  }
  return cells;
}

/** Returns a node in lon/lat, moved at random by at most 0.36 of a cell in each axis, so that no edges cross. */
function position(
  node: number,
  {
    seed,
    frame,
    toLonLat,
  }: { seed: number; frame: SampleFrame; toLonLat: (x: number, y: number) => readonly [number, number] },
): Position {
  const row = Math.floor(node / (SIDE + 1)) + 0.72 * (chance(seed, node, 304) - 0.5);
  const col = (node % (SIDE + 1)) + 0.72 * (chance(seed, node, 305) - 0.5);
  const { west, north } = frame.grid10m;
  const cell = CELL * frame.blocks;
  const [lon, lat] = toLonLat(west + (MARGIN + col) * cell, north - (MARGIN + row) * cell);
  return [Number(lon.toFixed(7)), Number(lat.toFixed(7))];
}
