import type { Cql2Expression } from '@headwater/cql2';
import { isObject } from '@headwater/stac';

/** Costs of operators that read a whole text or geometry. `casei` and `accenti` cost most: databases look up each letter. */
const COSTS: Readonly<Record<string, number>> = { casei: 50, accenti: 50, like: 5, s_intersects: 5, s_disjoint: 5 };
const TEMPORAL_COST = 10;
const POSITIONS = 20;

/** Estimated cost of a filter for one Item, at least 1 for each operator and property. */
export function filterCost(filter: Cql2Expression): number {
  let cost = 0;
  const waiting: unknown[] = [filter];
  while (waiting.length > 0) {
    const part = waiting.pop();
    if (Array.isArray(part)) for (const each of part) waiting.push(each);
    else if (isObject(part)) {
      const { op } = part;
      if (typeof op === 'string') cost += COSTS[op] ?? (op.startsWith('t_') ? TEMPORAL_COST : 1);
      if ('property' in part) cost += 1;
      else if ('coordinates' in part) cost += positionsIn(part['coordinates']) / POSITIONS;
      else waiting.push(part['args'], part['interval'], part['geometries']);
    }
  }
  return cost;
}

function positionsIn(coordinates: unknown): number {
  if (!Array.isArray(coordinates)) return 0;
  if (typeof coordinates[0] === 'number') return 1;
  return coordinates.reduce<number>((sum, each) => sum + positionsIn(each), 0);
}
