/** Path of the Collection in our tables. */
export const COLLECTION_PATH = 'bench/search/items';
export const COLLECTION = 'bench_search_items';

/** Area of the Items in degrees; first day of their times, and number of days. */
const WEST = 60;
const SOUTH = 0;
const SPAN = 40;
const FIRST_DAY = Date.UTC(2014, 0, 1);
const DAYS = 3650;
const DAY_MS = 86_400_000;
const KINDS = ['dry', 'wet', 'forest', 'built', 'crop', 'fallow', 'scrub', 'water', 'snow', 'sand'];

/** An Item as text, and the values that our table stores in separate columns. */
export interface BenchItem {
  readonly id: string;
  readonly text: string;
  readonly ring: readonly (readonly [number, number])[];
  readonly start: string;
  readonly end: string;
}

/** Returns a generator of pseudo-random numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const itemId = (index: number): string => `item-${String(index).padStart(8, '0')}`;

/** Returns an Item of 2.7 kB: a box with sides of 0.1 to 0.5 degrees, a period of 30 days. */
export function benchItem(index: number): BenchItem {
  const random = seeded(index + 1);
  const place = (span: number): number => Math.round(random() * span * 1e5) / 1e5;
  const [x, y, width, height] = [WEST + place(SPAN), SOUTH + place(SPAN), 0.1 + place(0.4), 0.1 + place(0.4)];
  const [east, north] = [Number((x + width).toFixed(5)), Number((y + height).toFixed(5))];
  const ring = [
    [x, y],
    [east, y],
    [east, north],
    [x, north],
    [x, y],
  ] as const;
  const start = new Date(
    FIRST_DAY + Math.floor(random() * DAYS) * DAY_MS + Math.floor(random() * DAY_MS),
  ).toISOString();
  const end = new Date(Date.parse(start) + 30 * DAY_MS).toISOString();
  const id = itemId(index);
  const item = {
    type: 'Feature',
    stac_version: '1.1.0',
    stac_extensions: ['https://stac-extensions.github.io/table/v1.2.0/schema.json'],
    id,
    collection: COLLECTION,
    geometry: { type: 'Polygon', coordinates: [ring] },
    bbox: [x, y, east, north],
    properties: {
      datetime: start,
      start_datetime: start,
      end_datetime: end,
      'bench:cover': Math.floor(random() * 10_000) / 100,
      'bench:kind': KINDS[Math.floor(random() * KINDS.length)],
      title: `Land use and land cover, tehsil ${index}`,
      description: 'Areas by class and micro-watershed, from yearly composites of optical scenes at ten metres.',
      'table:columns': Array.from({ length: 12 }, (_each, at) => ({
        name: `area_class_${at}`,
        type: 'float64',
        description: `Area of class ${at} in the year of the Item, hectares, to a hundredth`,
      })),
    },
    links: [{ rel: 'collection', href: `https://example.org/collections/${COLLECTION}`, type: 'application/json' }],
    assets: {
      data: {
        href: `https://example.org/files/${id}.tif`,
        type: 'image/tiff; application=geotiff; profile=cloud-optimized',
        title: 'Classes',
        roles: ['data'],
      },
      table: {
        href: `https://example.org/files/${id}.csv`,
        type: 'text/csv',
        title: 'Areas by class',
        roles: ['data'],
      },
      thumbnail: {
        href: `https://example.org/files/${id}.png`,
        type: 'image/png',
        title: 'Preview',
        roles: ['thumbnail'],
      },
    },
  };
  return { id, text: JSON.stringify(item), ring, start, end };
}
