/** Coordinates of a line or ring: x, y, x, y. */
export type Coordinates = readonly number[];

interface Band {
  readonly axis: 0 | 1;
  readonly low: number;
  readonly high: number;
}

/** Cuts an unclosed ring to a square from `low` to `high` (Sutherland-Hodgman). */
export function clipRing(ring: Coordinates, low: number, high: number): Coordinates {
  let kept = ring;
  for (const axis of [0, 1] as const) {
    // Only crossed sides are cut, because most rings cross only one side of a tile.
    if (isBeyond(kept, axis, (value) => value < low)) kept = keepSide(kept, axis, (value) => value - low);
    if (isBeyond(kept, axis, (value) => value > high)) kept = keepSide(kept, axis, (value) => high - value);
  }
  return kept;
}

function isBeyond(ring: Coordinates, axis: 0 | 1, test: (value: number) => boolean): boolean {
  for (let at = axis; at < ring.length; at += 2) if (test(ring[at]!)) return true;
  return false;
}

function keepSide(ring: Coordinates, axis: 0 | 1, distance: (value: number) => number): Coordinates {
  const kept: number[] = [];
  let before = ring.length - 2;
  for (let at = 0; at < ring.length; before = at, at += 2) {
    const [from, to] = [distance(ring[before + axis]!), distance(ring[at + axis]!)];
    if (from >= 0 !== to >= 0) pushBetween(kept, ring, { before, at, share: from / (from - to) });
    if (to >= 0) kept.push(ring[at]!, ring[at + 1]!);
  }
  return kept;
}

interface Crossing {
  readonly before: number;
  readonly at: number;
  /** Position of the crossing on the edge: 0 is `before`, 1 is `at`. */
  readonly share: number;
}

function pushBetween(kept: number[], from: Coordinates, { before, at, share }: Crossing): void {
  kept.push(
    from[before]! + (from[at]! - from[before]!) * share,
    from[before + 1]! + (from[at + 1]! - from[before + 1]!) * share,
  );
}

/** Cuts a line to a square from `low` to `high`; one line per part inside. */
export function clipLine(line: Coordinates, low: number, high: number): readonly Coordinates[] {
  return keepBand(line, { axis: 0, low, high }).flatMap((part) => keepBand(part, { axis: 1, low, high }));
}

function keepBand(line: Coordinates, { axis, low, high }: Band): readonly Coordinates[] {
  const parts: number[][] = [];
  let part: number[] = [];
  const end = (): void => {
    if (part.length > 2) parts.push(part);
    part = [];
  };
  for (let at = 2; at < line.length; at += 2) {
    const [from, to] = [line[at - 2 + axis]!, line[at + axis]!];
    const shares = [(low - from) / (to - from), (high - from) / (to - from)].toSorted((a, b) => a - b);
    const isFlat = from === to;
    const [enters, leaves] = isFlat
      ? [from < low || from > high ? 2 : 0, 1]
      : [Math.max(0, shares[0]!), Math.min(1, shares[1]!)];
    if (enters > leaves) {
      end();
      continue;
    }
    if (enters > 0) end();
    if (part.length === 0) pushBetween(part, line, { before: at - 2, at, share: enters });
    if (leaves === 1) part.push(line[at]!, line[at + 1]!);
    else {
      pushBetween(part, line, { before: at - 2, at, share: leaves });
      end();
    }
  }
  end();
  return parts;
}
