import { StacError } from '../errors.ts';
import { joinBboxes } from '../geometry/bbox.ts';
import type { Bbox } from '../geometry/types.ts';
import { compareInstants, parseInstant, type Instant } from '../instant.ts';
import { isList, isObject } from '../json.ts';
import type { Extent } from '../types.ts';

/** Exact extent of stored Items, as one box and one interval. Throws `StacError` without Items, boxes or times. */
export function extentOf(items: readonly object[]): Extent {
  const members = items.map(member);
  const starts = members.map((item) => item.start).sort(compareInstants);
  const ends = members.map((item) => item.end).sort(compareInstants);
  return {
    spatial: { bbox: [joinBboxes(members.map((item) => item.bbox))] },
    temporal: { interval: [[starts[0] ?? null, ends.at(-1) ?? null]] },
  };
}

/** Smallest extent that contains the given extents. Throws `StacError` for an empty list. */
export function joinExtents(extents: readonly Extent[]): Extent {
  const boxes = extents.flatMap((extent) => extent.spatial.bbox.slice(0, 1));
  const intervals = extents.flatMap((extent) => extent.temporal.interval.slice(0, 1));
  const starts = intervals.map(([start]) => start);
  const ends = intervals.map(([, end]) => end);
  return {
    spatial: { bbox: [joinBboxes(boxes)] },
    temporal: { interval: [[outermost(starts, -1), outermost(ends, 1)]] },
  };
}

function outermost(instants: readonly (Instant | null)[], sign: 1 | -1): Instant | null {
  if (instants.includes(null)) return null;
  return instants.filter((each) => each !== null).sort((a, b) => sign * compareInstants(b, a))[0] ?? null;
}

function member(item: object): { readonly bbox: Bbox; readonly start: Instant; readonly end: Instant } {
  const { id, bbox, properties } = { id: undefined, bbox: undefined, properties: undefined, ...item } as Record<
    string,
    unknown
  >;
  const times = isObject(properties) ? properties : {};
  const [start, end] = [
    time(times['start_datetime'] ?? times['datetime']),
    time(times['end_datetime'] ?? times['datetime']),
  ];
  const numbers = isList(bbox) ? bbox.filter((value) => typeof value === 'number' && Number.isFinite(value)) : [];
  const [west, south, east, north] = numbers as number[];
  if (numbers.length !== 4 || west === undefined || south === undefined || east === undefined || north === undefined) {
    throw new StacError(
      `extent: Item ${String(id)} has no bbox of four numbers; validate Items before they are stored`,
    );
  }
  if (start === undefined || end === undefined) {
    throw new StacError(`extent: Item ${String(id)} has no UTC start and end; validate Items before they are stored`);
  }
  return { bbox: [west, south, east, north], start, end };
}

function time(value: unknown): Instant | undefined {
  return typeof value === 'string' ? parseInstant(value) : undefined;
}
