import type { Deliverable } from '@headwater/core';
import { createMemoryStores } from '@headwater/identity/memory';
import { createHeadwater, toFetchHandler } from '@headwater/http-service';
import { SAMPLE_SECRET } from '../fixture/sample-service.ts';

export const BASE = 'http://headwater.example';
/** Options of a browser's request for a page. */
export const HTML = { headers: { accept: 'text/html,*/*;q=0.8' } };

/** An Item with a box of a tenth of a degree. */
export function itemAt(collectionPath: string, [west, south]: readonly [number, number]): Deliverable['items'][number] {
  const id = `${collectionPath.replaceAll('/', '_')}_layer`;
  const item = {
    type: 'Feature',
    id,
    bbox: [west, south, west + 0.1, south + 0.1],
    properties: {
      title: `Layer of ${collectionPath}`,
      start_datetime: '2021-07-01T00:00:00Z',
      end_datetime: '2022-06-30T00:00:00Z',
    },
    assets: {},
    links: [],
  };
  return { id, collectionPath, item };
}

/** Creates a service with these Items. Then `laterRuns` further runs publish one of the Items each again. */
export async function serviceOf(items: Deliverable['items'], laterRuns = 0) {
  const stores = createMemoryStores();
  /** Publishes Items as the result of a run. A run with a lower number counts as queued earlier. */
  const publish = async (run: number, own: Deliverable['items']): Promise<void> => {
    const id = `0190a000-0000-7000-8000-${String(run).padStart(12, '0')}`;
    await stores.runs.enqueue({ id, pipeline: 'sample', params: {}, fingerprint: id, ownerId: 1 });
    const claimed = await stores.runs.claim({ workerId: 'w', leaseMs: 60_000, maxAttempts: 3, pipelines: ['sample'] });
    await stores.runs.publish(id, claimed?.token ?? 0, { items: own, layers: [], timings: {} });
  };
  await publish(1, items);
  for (let run = 0; run < laterRuns; run++) await publish(2 + run, items.slice(run, run + 1));
  return { stores, publish, ...clientOf(stores) };
}

/** Creates a service over these stores. `page` reads one of its pages. */
export function clientOf(stores: ReturnType<typeof createMemoryStores>) {
  const { service, close } = createHeadwater({ baseUrl: BASE, secret: SAMPLE_SECRET, stores });
  const ask = toFetchHandler(service);
  const page = async (path: string): Promise<string> => await (await ask(new Request(BASE + path, HTML))).text();
  return { close, page };
}

const decoded = (text: string): string =>
  text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");

/** Links of a page to this service, without fragments. */
export function linksOf(page: string, from: string): readonly string[] {
  return [...page.matchAll(/<a\s[^>]*?href="([^"]*)"/g)].flatMap(([, href = '']) => {
    const url = new URL(decoded(href), BASE + from);
    return url.origin === BASE ? [url.pathname + url.search] : [];
  });
}
