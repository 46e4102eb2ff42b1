import type { Scene, SceneQuery, SceneSearch } from '@headwater/core';
import { DomainError } from '@headwater/core/errors';
import { COLLECTION, type ImageBand, sceneOfImage } from './images.ts';
import type { Requests } from './requests.ts';

const PAGE_SIZE = 500;
const MOST_PAGES = 200;

/** Scenes of a search, and their bands by address. */
export interface Listing extends SceneSearch {
  readonly bands: ReadonlyMap<string, ImageBand>;
}

const faulty = (problem: string): DomainError =>
  new DomainError(
    'upstream_failed',
    `The list of images of Earth Engine ${problem}; report it to the operator of the service.`,
  );

/** Lists the scenes in the box and the period [start, end) of a query, ordered by time. */
export async function listScenes(query: SceneQuery, requests: Requests): Promise<Listing> {
  const byId = new Map<string, Scene>();
  const bands = new Map<string, ImageBand>();
  const rejected: { itemHref: string; reason: string }[] = [];
  const { signal, onWait } = query;
  let pageToken = '';
  for (let page = 0; page === 0 || pageToken !== ''; page += 1) {
    if (page >= MOST_PAGES) throw faulty('does not end');
    const search = new URLSearchParams({ pageSize: String(PAGE_SIZE), view: 'FULL', filter: filterOf(query) });
    if (pageToken !== '') search.set('pageToken', pageToken);
    const path = `/v1/projects/earthengine-public/assets/${COLLECTION}:listAssets?${search.toString()}`;
    const { assets = [], nextPageToken } = await requests.json({ host: 'earthEngine', path }, { signal, onWait });
    if (!Array.isArray(assets)) throw faulty('has no assets');
    for (const image of assets) {
      const found = sceneOfImage(image, requests);
      if ('reason' in found) rejected.push(found);
      else if (isWithin(found.scene, query)) {
        byId.set(found.scene.id, found.scene);
        for (const entry of found.bands) bands.set(...entry);
      }
    }
    pageToken = typeof nextPageToken === 'string' ? nextPageToken : '';
  }
  const scenes = [...byId.values()].toSorted(
    (a, b) => a.datetime.localeCompare(b.datetime) || a.id.localeCompare(b.id),
  );
  return { scenes, rejected, bands };
}

/** Filter in the language of AIP-160. Compares the period only with `startTime`, because an end time may be missing. */
function filterOf({ bbox: [west, south, east, north], start, end }: SceneQuery): string {
  const ring = `[[${west},${south}],[${east},${south}],[${east},${north}],[${west},${north}],[${west},${south}]]`;
  const times = `startTime >= "${new Date(start).toISOString()}" AND startTime < "${new Date(end).toISOString()}"`;
  return `${times} AND intersects("{'type':'Polygon','coordinates':[${ring}]}")`;
}

function isWithin({ datetime, bbox: [west, south, east, north] }: Scene, { bbox, start, end }: SceneQuery): boolean {
  const time = Date.parse(datetime);
  if (time < Date.parse(start) || time >= Date.parse(end)) return false;
  return west <= bbox[2] && east >= bbox[0] && south <= bbox[3] && north >= bbox[1];
}
