import type { ReadJson } from './static-catalog.ts';

/** The query of the tests. */
export const QUERY = { bbox: [75, 23, 76, 24], start: '2023-01-01T00:00:00Z', end: '2024-01-01T00:00:00Z' } as const;

/** Item of a scene that matches `QUERY`. */
export const item = (id: string, change: object = {}, properties: object = {}) => ({
  type: 'Feature',
  id,
  collection: 'sentinel-2-l2a',
  bbox: [75.2, 23.2, 75.8, 23.8],
  properties: { datetime: '2023-06-01T05:30:00Z', 'proj:code': 'EPSG:32643', ...properties },
  assets: { B04: { href: './B04.tif', type: 'image/tiff' } },
  links: [],
  ...change,
});
/** Catalogue with these links: pairs of relation and href. */
export const catalog = (...links: readonly (readonly [string, string])[]) => ({
  type: 'Catalog',
  id: 'c',
  links: [{ rel: 'root', href: './catalog.json' }, ...links.map(([rel, href]) => ({ rel, href }))],
});

/** Network settings without retries. */
export const IMPATIENT = { settings: { tries: 1, patienceMs: 0 } };

/** Reads documents from memory, and records the reads. */
export function library(documents: Readonly<Record<string, unknown>>, reads: string[] = []): ReadJson {
  return (href) => {
    reads.push(href);
    return href in documents ? Promise.resolve(documents[href]) : Promise.reject(new Error('no such file'));
  };
}
