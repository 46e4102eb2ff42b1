import { isObject } from '@headwater/stac';

/** Common type of the values of a column. `json`: values of several types, written as JSON text. */
export type Shape =
  | { readonly kind: 'none' | 'boolean' | 'integer' | 'number' | 'text' | 'json' }
  | { readonly kind: 'list'; readonly element: Shape }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Shape> };

export const NONE: Shape = { kind: 'none' };
const JSON_TEXT: Shape = { kind: 'json' };
/** Maximum number of members. Larger objects are written as JSON text, because their member names are probably data. */
const MOST_MEMBERS = 256;

/** Shape of one value. */
export function shapeOf(value: unknown): Shape {
  if (value === null || value === undefined) return NONE;
  if (typeof value === 'boolean') return { kind: 'boolean' };
  if (typeof value === 'number')
    return { kind: Number.isSafeInteger(value) && !Object.is(value, -0) ? 'integer' : 'number' };
  if (typeof value === 'string') return { kind: 'text' };
  if (Array.isArray(value)) return { kind: 'list', element: value.map(shapeOf).reduce(joinShapes, NONE) };
  if (!isObject(value)) return JSON_TEXT;
  const members = new Map(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
  return objectOf(members);
}

/** Common shape of two shapes. */
export function joinShapes(a: Shape, b: Shape): Shape {
  if (a === b || b.kind === 'none') return a;
  if (a.kind === 'none') return b;
  if (a.kind === 'list' && b.kind === 'list') {
    const element = joinShapes(a.element, b.element);
    return element === a.element ? a : { kind: 'list', element };
  }
  if (a.kind === 'object' && b.kind === 'object') return joinObjects(a.members, b.members, a);
  if (a.kind === b.kind) return a;
  const kinds = new Set([a.kind, b.kind]);
  return kinds.has('integer') && kinds.has('number') ? { kind: 'number' } : JSON_TEXT;
}

type Members = ReadonlyMap<string, Shape>;

/** Returns `same` (the shape of `a`) if `b` adds nothing. */
function joinObjects(a: Members, b: Members, same: Shape): Shape {
  let joined: Map<string, Shape> | undefined;
  for (const [name, shape] of b) {
    const known = a.get(name);
    const both = known === undefined ? shape : joinShapes(known, shape);
    if (both === known) continue;
    joined ??= new Map(a);
    joined.set(name, both);
  }
  return joined === undefined ? same : objectOf(joined);
}

function objectOf(members: Members): Shape {
  return members.size > MOST_MEMBERS ? JSON_TEXT : { kind: 'object', members };
}

/** Number of leaf columns of a shape. */
export function leavesOf(shape: Shape): number {
  if (shape.kind === 'list') return leavesOf(shape.element);
  if (shape.kind !== 'object') return 1;
  return [...shape.members.values()].reduce((sum, member) => sum + leavesOf(member), 0);
}
