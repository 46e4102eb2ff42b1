import type { Extent } from '@headwater/stac';
import { idOfPath } from '../runs/name-conflicts.ts';
import { readCursor, writeCursor } from './cursor.ts';
import type { CollectionRequest } from '../ports/item-search.ts';
import { compareValues, isSortValue } from './order.ts';
import { boxesTouch, flatBox } from './search-box.ts';
import { spanOf } from './times.ts';

/** Properties of a Collection that a listing can filter by. */
export interface CollectionFacts {
  readonly path: string;
  readonly itemCount: number;
  readonly extent: Extent | null;
}

/** Builds a test for Collections that meet all conditions. Throws `validation` for invalid conditions. */
export function isListed(request: CollectionRequest): (collection: CollectionFacts) => boolean {
  const { parent, holdsItems, ids, bbox, interval, words } = request;
  const span = interval && spanOf(interval);
  const box = bbox && flatBox(bbox);
  const wanted = words?.map((word) => word.toLowerCase());
  return ({ path, itemCount, extent }) =>
    (parent === undefined || parentOf(path) === parent) &&
    (holdsItems !== true || itemCount > 0) &&
    (ids === undefined || ids.includes(idOfPath(path))) &&
    (wanted === undefined || wanted.every((word) => `${path} ${idOfPath(path)}`.toLowerCase().includes(word))) &&
    (box === undefined || (extent !== null && extent.spatial.bbox.some((own) => boxesTouch(flatBox(own), box)))) &&
    (span === undefined || (extent !== null && extent.temporal.interval.some((own) => overlap(own, span))));
}

/** The page of Collections after the request's cursor. */
export function pageOfCollections(
  listed: readonly CollectionFacts[],
  { limit, cursor }: CollectionRequest,
): { readonly page: readonly CollectionFacts[]; readonly next?: string; readonly matched: number } {
  const [after = null] = cursor === undefined ? [] : readCursor(cursor, { order: ORDER, kinds: [isSortValue] });
  const left = listed
    .filter(({ path }) => compareValues(path, after) > 0)
    .sort((a, b) => compareValues(a.path, b.path));
  const page = left.slice(0, limit);
  const last = page.at(-1);
  const next = last === undefined || page.length === left.length ? {} : { next: writeCursor(ORDER, [last.path]) };
  return { page, ...next, matched: listed.length };
}

const ORDER = 'collections by path';

function parentOf(path: string): string {
  return path.split('/').slice(0, -1).join('/');
}

function overlap(
  [start, end]: readonly [start: string | null, end: string | null],
  [from, to]: readonly [from: number, to: number],
): boolean {
  return (start === null || Date.parse(start) <= to) && (end === null || Date.parse(end) >= from);
}
