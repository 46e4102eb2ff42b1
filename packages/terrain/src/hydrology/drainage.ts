import type { LineString, Position } from 'geojson';
import { cellSizes, type CellSizes } from '../dem/cell-size.ts';
import { stepsByCode } from './directions.ts';
import type { Flow } from './flow.ts';

/** A stream segment from a source or confluence to the next confluence or outlet. */
export interface DrainageLine {
  /** Number from 1. Lines are numbered by their first cells, row by row. */
  readonly id: number;
  /** Strahler order. */
  readonly order: number;
  /** Number of the line into which this line flows; absent if this line leaves the data. */
  readonly downstream?: number;
  readonly lengthMetres: number;
  /** Last cell that belongs only to this line. */
  readonly lastCell: number;
  /** Number of cells that drain through `lastCell`. */
  readonly upstreamCells: number;
  /** Cell centres in the grid's CRS, downstream. The next line begins at the last centre. */
  readonly geometry: LineString;
}

/** The stream cells of a flow. */
export interface Streams {
  readonly flow: Flow;
  /** Result of `accumulatedCells`. */
  readonly cells: Uint32Array;
  /** Result of `streamOrders`. */
  readonly orders: Uint8Array;
}

/**
 * Drainage lines of all stream cells. A line also ends where unseen water (from outside of the DEM) joins.
 * `unseen` is the result of `edgeContamination`.
 */
export function drainageLines({ flow, cells, orders }: Streams, unseen?: Uint8Array): readonly DrainageLine[] {
  const steps = stepsByCode(flow.grid.cols);
  const inflows = streamInflows(flow, orders, steps);
  if (unseen !== undefined) addUnseen(inflows, { flow, orders, unseen, steps });
  const starts: number[] = [];
  for (let at = 0; at < orders.length; at += 1) {
    // A cell with exactly one inflow continues a line, so no line starts there.
    if (orders[at] !== 0 && inflows[at] !== 1 && steps[flow.directions[at]!] !== 0) starts.push(at);
  }
  const idByStart = new Map(starts.map((start, index) => [start, index + 1]));
  const sizes = cellSizes(flow.grid);
  return starts.map((start, index) => {
    const path = follow(start, { flow, inflows, steps });
    const end = path.at(-1)!;
    const downstream = idByStart.get(end);
    const lastCell = inflows[end] === 1 ? end : path.at(-2)!;
    return {
      id: index + 1,
      order: orders[start]!,
      ...(downstream === undefined ? {} : { downstream }),
      lengthMetres: lengthOf(path, flow.grid.cols, sizes),
      lastCell,
      upstreamCells: cells[lastCell]!,
      geometry: { type: 'LineString', coordinates: path.map((at) => centreOf(flow, at)) },
    };
  });
}

function streamInflows({ directions }: Flow, orders: Uint8Array, steps: Int32Array): Uint8Array {
  const inflows = new Uint8Array(orders.length);
  for (let at = 0; at < orders.length; at += 1) {
    const step = orders[at] === 0 ? 0 : steps[directions[at]!]!;
    if (step !== 0) inflows[at + step] = inflows[at + step]! + 1;
  }
  return inflows;
}

interface UnseenWater extends Pick<Streams, 'flow' | 'orders'> {
  readonly unseen: Uint8Array;
  readonly steps: Int32Array;
}

/**
 * Adds an inflow where unseen water joins a stream, so that the line ends there: only the catchment above is complete.
 */
function addUnseen(inflows: Uint8Array, { flow, orders, unseen, steps }: UnseenWater): void {
  for (const at of flow.order) {
    const into = at + steps[flow.directions[at]!]!;
    const joins = orders[at] !== 0 && unseen[at] === 0 && unseen[into] !== 0;
    if (joins && inflows[into] === 1) inflows[into] = 2;
  }
}

interface Network {
  readonly flow: Flow;
  readonly inflows: Uint8Array;
  readonly steps: Int32Array;
}

function follow(start: number, { flow, inflows, steps }: Network): readonly number[] {
  const path = [start];
  let at = start;
  let step = steps[flow.directions[at]!]!;
  while (step !== 0) {
    at += step;
    path.push(at);
    step = inflows[at] === 1 ? steps[flow.directions[at]!]! : 0;
  }
  return path;
}

function lengthOf(path: readonly number[], cols: number, { x, y }: CellSizes): number {
  let metres = 0;
  for (let k = 1; k < path.length; k += 1) {
    const [a, b] = [path[k - 1]!, path[k]!];
    const row = Math.floor(a / cols);
    metres += Math.hypot(a % cols === b % cols ? 0 : x[row]!, row === Math.floor(b / cols) ? 0 : y[row]!);
  }
  return metres;
}

/** Centre of a cell in the grid's CRS. */
export function centreOf({ grid }: Pick<Flow, 'grid'>, at: number): Position {
  const row = Math.floor(at / grid.cols);
  return [grid.west + ((at % grid.cols) + 0.5) * grid.pixelWidth, grid.north - (row + 0.5) * grid.pixelHeight];
}
