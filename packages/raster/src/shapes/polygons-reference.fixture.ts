import type { PixelSize } from '../pixels/pixel-window.ts';

/**
 * Numbers the regions of equal pixels in the order of first pixels, by a flood fill. Tests compare `polygonise` with
 * it.
 */
export function labelsReference(pixels: ArrayLike<number>, { cols, rows }: PixelSize, connectivity: 4 | 8): Int32Array {
  const labels = new Int32Array(cols * rows).fill(-1);
  let count = 0;
  for (let start = 0; start < labels.length; start++) {
    if (labels[start] !== -1) continue;
    const open = [start];
    labels[start] = count;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const [x, y] = [at % cols, Math.floor(at / cols)];
      for (const [dx, dy] of connectivity === 4 ? SIDES : [...SIDES, ...DIAGONALS]) {
        const [nx, ny] = [x + dx, y + dy];
        const near = ny * cols + nx;
        if (nx < 0 || ny < 0 || nx >= cols || ny >= rows || labels[near] !== -1 || pixels[near] !== pixels[start])
          continue;
        labels[near] = count;
        open.push(near);
      }
    }
    count++;
  }
  return labels;
}

const SIDES = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;
const DIAGONALS = [
  [1, 1],
  [-1, 1],
  [1, -1],
  [-1, -1],
] as const;

/** Text of a simple ring. Equal rings have equal texts, because each text begins with the smallest corner. */
export const ringKey = (ring: readonly (readonly [number, number])[]): string => {
  const texts = ring.map(([x, y]) => `${x},${y}`);
  const first = texts.indexOf(texts.toSorted()[0]!);
  return [...texts.slice(first), ...texts.slice(0, first)].join(' ');
};

/** Edge of a pixel's border, with the pixel on the left. */
interface Edge {
  readonly from: readonly [number, number];
  readonly step: readonly [number, number];
}

/** Rings around the 4-connected part `label`. Each ring has the part on its left, and turns left at crossings. */
export function ringsReference(labels: Int32Array, { cols, rows }: PixelSize, label: number): readonly string[] {
  const has = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < cols && y < rows && labels[y * cols + x] === label;
  const edges: Edge[] = [];
  labels.forEach((each, at) => {
    const [x, y] = [at % cols, Math.floor(at / cols)];
    if (each !== label) return;
    if (!has(x, y + 1)) edges.push({ from: [x, y + 1], step: [1, 0] });
    if (!has(x + 1, y)) edges.push({ from: [x + 1, y + 1], step: [0, -1] });
    if (!has(x, y - 1)) edges.push({ from: [x + 1, y], step: [-1, 0] });
    if (!has(x - 1, y)) edges.push({ from: [x, y], step: [0, 1] });
  });
  const rings: string[] = [];
  const left = new Set(edges);
  for (const first of left) {
    const chain: Edge[] = [];
    for (let edge: Edge | undefined = first; edge !== undefined; edge = following(edge, left)) {
      left.delete(edge);
      chain.push(edge);
      // When a corner is reached again, the edges since its first visit form a ring.
      const [x, y] = [edge.from[0] + edge.step[0], edge.from[1] + edge.step[1]];
      const begin = chain.findIndex(({ from }) => from[0] === x && from[1] === y);
      if (begin >= 0) rings.push(ringKey(turnsOf(chain.splice(begin))));
    }
  }
  return rings;
}

/** Returns the next edge. If there are two, returns the one that turns left. */
function following({ from, step }: Edge, left: ReadonlySet<Edge>): Edge | undefined {
  const [x, y] = [from[0] + step[0], from[1] + step[1]];
  const [dx, dy] = step;
  const all = [...left].filter((edge) => edge.from[0] === x && edge.from[1] === y);
  return all.find((edge) => edge.step[0] === dy && edge.step[1] === -dx) ?? all[0];
}

function turnsOf(chain: readonly Edge[]): readonly (readonly [number, number])[] {
  return chain
    .filter(({ step }, i) => {
      const before = chain.at(i - 1)!.step;
      return before[0] !== step[0] || before[1] !== step[1];
    })
    .map(({ from }) => from);
}
