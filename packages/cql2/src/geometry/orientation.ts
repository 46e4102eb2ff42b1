/** A position in the plane. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

const EPSILON = 2 ** -53;
/** Largest error of the determinant, relative to |left| + |right|: (3 + 16 e) e with e = 2^-53 (Shewchuk 1997). */
const BOUND = (3 + 16 * EPSILON) * EPSILON;

/** Direction of the turn a-b-c: 1 is left, -1 is right, 0 is straight. Exact for all doubles. */
export function orientation(a: Point, b: Point, c: Point): -1 | 0 | 1 {
  const left = (a.x - c.x) * (b.y - c.y);
  const right = (a.y - c.y) * (b.x - c.x);
  const determinant = left - right;
  const isCertain =
    left === 0 ||
    right === 0 ||
    left > 0 !== right > 0 ||
    Math.abs(determinant) > BOUND * (Math.abs(left) + Math.abs(right));
  // An underflow to zero makes the sign of the determinant uncertain.
  if (isCertain && !hasUnderflowed(a, b, c, left, right)) return signOf(determinant);
  return exactOrientation(a, b, c);
}

function hasUnderflowed(...[a, b, c, left, right]: readonly [Point, Point, Point, number, number]): boolean {
  return (left === 0 && a.x !== c.x && b.y !== c.y) || (right === 0 && a.y !== c.y && b.x !== c.x);
}

/** Exact orientation with integers: each double is a multiple of 2^-1074. */
function exactOrientation(a: Point, b: Point, c: Point): -1 | 0 | 1 {
  const [ax, ay, bx, by, cx, cy] = [a.x, a.y, b.x, b.y, c.x, c.y].map(scaled);
  if (
    ax === undefined ||
    ay === undefined ||
    bx === undefined ||
    by === undefined ||
    cx === undefined ||
    cy === undefined
  )
    return 0;
  return signOf((ax - cx) * (by - cy) - (ay - cy) * (bx - cx));
}

const BITS = new DataView(new ArrayBuffer(8));
const MANTISSA = (1n << 52n) - 1n;

function scaled(value: number): bigint {
  BITS.setFloat64(0, value);
  const bits = BITS.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn;
  const size = exponent === 0n ? bits & MANTISSA : ((bits & MANTISSA) | (1n << 52n)) << (exponent - 1n);
  return value < 0 ? -size : size;
}

function signOf(value: number | bigint): -1 | 0 | 1 {
  if (value > 0) return 1;
  return value < 0 ? -1 : 0;
}
