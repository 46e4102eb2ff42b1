import { withoutHeights } from '../geometry/bbox.ts';
import type { Bbox } from '../geometry/types.ts';
import { compareInstants, isUtcText } from '../instant.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import { containsBox } from '../validate/bbox.ts';
import { brief } from '../brief.ts';
import type { Report } from '../validate/report.ts';
import type { TreeNode } from './tree.ts';

/** Bounds of a document. Undefined members are missing or invalid. In an interval, `null` is an open end. */
interface Cover {
  readonly bbox: Bbox | undefined;
  readonly interval: readonly [start: string | null, end: string | null] | undefined;
}

/** Checks that the extent of the nearest Collection covers a node. Invalid extents are not compared. */
export function checkEnclosed(report: Report, node: TreeNode): void {
  reportUnchecked(report, node);
  const around = node.collection;
  if (around === undefined) return;
  const [outer, inner] = [coverOf(around.document), coverOf(node.document)];
  const isItem = node.document['type'] === 'Feature';
  if (outer.bbox !== undefined && inner.bbox !== undefined && !containsBox(outer.bbox, inner.bbox)) {
    report.add(isItem ? '/bbox' : '/extent/spatial/bbox/0', {
      rule: 'tree.extent-spatial',
      got: inner.bbox,
      expected: `inside of ${brief(outer.bbox)}, the extent of ${around.href}`,
      fix: 'recompute the extents from the Items upwards',
      source: 'stac',
    });
  }
  if (outer.interval !== undefined && inner.interval !== undefined && !containsTime(outer.interval, inner.interval)) {
    report.add(isItem ? '/properties' : '/extent/temporal/interval/0', {
      rule: 'tree.extent-temporal',
      got: inner.interval,
      expected: `inside of ${brief(outer.interval)}, the extent of ${around.href}`,
      fix: 'recompute the extents from the Items upwards',
      source: 'stac',
    });
  }
}

/** Reports a Collection with an invalid extent, because such an extent is not compared with the extents below. */
function reportUnchecked(report: Report, { document }: TreeNode): void {
  if (document['type'] !== 'Collection') return;
  const { bbox, interval } = coverOf(document);
  if (bbox !== undefined && interval !== undefined) return;
  report.add('/extent', {
    rule: 'tree.extent-unchecked',
    severity: 'info',
    got: document['extent'],
    expected: 'a valid bbox and interval; without them, the extents below were not compared',
    fix: 'recompute the extents from the Items upwards',
    source: 'headwater',
  });
}

function coverOf(document: JsonObject): Cover {
  const { extent, properties } = document;
  if (document['type'] === 'Feature') {
    const times = isObject(properties) ? properties : {};
    const { datetime, start_datetime: start = datetime, end_datetime: end = datetime } = times;
    return { bbox: asBox(document['bbox']), interval: asInterval([start, end].map((time) => time ?? undefined)) };
  }
  const { spatial, temporal } = isObject(extent) ? extent : {};
  return {
    bbox: asBox(firstOf(isObject(spatial) ? spatial['bbox'] : undefined)),
    interval: asInterval(firstOf(isObject(temporal) ? temporal['interval'] : undefined)),
  };
}

function firstOf(list: unknown): unknown {
  return isList(list) ? list[0] : undefined;
}

/** Box without heights; undefined if it is invalid. */
function asBox(value: unknown): Bbox | undefined {
  const box = isList(value) ? withoutHeights(value) : [];
  if (box.length !== 4) return undefined;
  const [west, south, east, north] = box.map((each) => (Number.isFinite(each) ? Number(each) : undefined));
  return west === undefined || south === undefined || east === undefined || north === undefined
    ? undefined
    : [west, south, east, north];
}

function asInterval(value: unknown): Cover['interval'] {
  const [start, end] = isList(value) ? value : [];
  const isTime = (time: unknown): time is string | null => time === null || isUtcText(time);
  return isTime(start) && isTime(end) ? [start, end] : undefined;
}

function containsTime(
  [from, to]: NonNullable<Cover['interval']>,
  [start, end]: NonNullable<Cover['interval']>,
): boolean {
  const begins = from === null || (start !== null && compareInstants(from, start) <= 0);
  return begins && (to === null || (end !== null && compareInstants(end, to) <= 0));
}
