import type { ItemForm, ItemPage, SearchRequest } from '@headwater/core/ports';
import type { PublishedItem } from '@headwater/core';
import { bboxOf, stacText, type Stores } from '@headwater/http-service/testing';
import type { MultiPolygon, Polygon } from 'geojson';
import { dataOf, publishData } from './data-sample.ts';
import { square } from './sample.ts';

/** Members of a test Item that differ between tests. */
export interface SearchItem {
  readonly id: string;
  readonly path?: string;
  readonly geometry?: Polygon | MultiPolygon;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export const PATH = 'jharkhand/west_singhbhum/chaibasa';
export const COLLECTION = 'jharkhand_west_singhbhum_chaibasa';
const YEAR = { start_datetime: '2020-07-01T00:00:00Z', end_datetime: '2021-06-30T23:59:59Z' };

/** Builds an Item, with default values for omitted members. */
export function itemOf({ id, path = PATH, geometry = square(85, 22), properties = {} }: SearchItem) {
  const item = {
    type: 'Feature',
    stac_version: '1.1.0',
    id,
    geometry,
    bbox: bboxOf(geometry),
    properties: { title: id, ...YEAR, datetime: '2024-05-06T07:08:09Z', ...properties },
    collection: path.replaceAll('/', '_'),
    assets: { data: { href: `https://base.headwater.invalid/${encodeURIComponent(id)}` } },
    links: [],
  };
  return { id, collectionPath: path, item };
}

/** A form of stored texts: the JSON of an Item with version and run. */
export const FORM: ItemForm = { name: 'test 1', text: textOf };

function textOf({ item, version, runId }: PublishedItem): string {
  return stacText({ ...item, version: String(version), run: runId });
}

let runs = 0;

/** Publishes Items with a new run. Returns the run's id. */
export async function publish(stores: Stores, ...items: readonly SearchItem[]): Promise<string> {
  const id = `run-${String(++runs).padStart(6, '0')}`;
  await publishData(stores.runs, id, { ...dataOf({}), items: items.map(itemOf) });
  return id;
}

/** Ids of found Items, in order. */
export async function found(stores: Stores, request: Partial<SearchRequest>): Promise<readonly string[]> {
  const { items } = await stores.search.search({ limit: 1000, ...request }, FORM);
  return items.map(({ id }) => id);
}

/** Reads all pages of a search. Throws if there are more than 200 pages. */
export async function pages(stores: Stores, request: SearchRequest): Promise<readonly ItemPage[]> {
  const all: ItemPage[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page: ItemPage = await stores.search.search({ ...request, ...(cursor === '' ? {} : { cursor }) }, FORM);
    all.push(page);
    if (all.length > 200) throw new Error('the pages do not end');
    cursor = page.next;
  }
  return all;
}
