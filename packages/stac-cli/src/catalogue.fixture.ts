import {
  buildCatalog,
  buildCollection,
  collectionId,
  columnsOf,
  extentOf,
  instant,
  itemId,
  joinExtents,
  rasterItem,
  vectorItem,
  type Collection,
  type Extent,
  type Item,
  type ItemInput,
  type LinkTarget,
} from '@headwater/stac';
import type { DocumentTree } from './tree/walk.ts';

/** Base address of the test catalogue. */
export const BASE = 'https://example.org/api/v1/stac/';
const TEHSILS = [
  ['Assam', 'Cachar', 'Cachar'],
  ['Assam', 'Cachar', 'Lakhipur'],
  ['Assam', 'Dhubri', 'Bilasipara'],
] as const;
const ROOT: LinkTarget = { href: BASE, title: 'Catalogue' };
const PROVIDERS = [{ name: 'Headwater', roles: ['host'] }] as const;
type Place = readonly [state: string, district: string, block: string];
type Documents = Map<string, Record<string, unknown>>;

const slug = (name: string): string => name.toLowerCase();
const address = (names: readonly string[]): string => `${BASE}${names.map((name) => `${slug(name)}/`).join('')}`;
const target = (names: readonly string[]): LinkTarget => ({ href: address(names), title: names.at(-1) ?? '' });
const parentOf = (names: readonly string[]): LinkTarget => (names.length === 1 ? ROOT : target(names.slice(0, -1)));

/** A tree like the service's: root, state, two districts, and three blocks with two Items each. */
export function documents(): Documents {
  const all: Documents = new Map();
  const extents = new Map<string, Extent[]>();
  const links = new Map<string, LinkTarget[]>([['', []]]);
  for (const place of TEHSILS) {
    const items = [raster(place), vector(place)];
    for (const item of items) all.set(itemAddress(place, item), { ...item });
    const extent = extentOf(items);
    all.set(address(place), { ...block(place, items) });
    for (const depth of [1, 2]) note(extents, place.slice(0, depth).join('/'), extent);
    for (const depth of [0, 1, 2]) link(links, place.slice(0, depth).join('/'), target(place.slice(0, depth + 1)));
  }
  for (const [path, parts] of extents) {
    const names = path.split('/');
    const children = links.get(path) ?? [];
    all.set(address(names), { ...collection(names, { children, extent: joinExtents(parts) }) });
  }
  const about = { id: 'headwater', title: ROOT.title, description: 'Layers per tehsil', self: BASE };
  all.set(BASE, { ...buildCatalog({ ...about, children: links.get('') ?? [] }) });
  return all;
}

/** Tree of these documents. */
export function treeOf(all: ReadonlyMap<string, unknown>): DocumentTree {
  return { root: BASE, read: (href) => Promise.resolve(all.get(href)) };
}

function note(extents: Map<string, Extent[]>, path: string, extent: Extent): void {
  extents.set(path, [...(extents.get(path) ?? []), extent]);
}

function link(links: Map<string, LinkTarget[]>, path: string, child: LinkTarget): void {
  const known = links.get(path) ?? [];
  if (!known.some(({ href }) => href === child.href)) links.set(path, [...known, child]);
}

type Below =
  | { readonly children: readonly LinkTarget[]; readonly extent: Extent }
  | { readonly items: readonly LinkTarget[]; readonly extent: Extent };

function collection(names: readonly string[], below: Below): Collection {
  return buildCollection({
    id: collectionId(names.map(slug).join('/')),
    title: names.at(-1) ?? '',
    description: `Layers of ${names.toReversed().join(', ')}`,
    self: address(names),
    root: ROOT,
    parent: parentOf(names),
    keywords: ['tehsil'],
    license: 'CC-BY-4.0',
    providers: [...PROVIDERS] as [(typeof PROVIDERS)[0]],
    ...below,
  });
}

function block(place: Place, items: readonly Item[]): Collection {
  const targets = items.map((item) => ({ href: itemAddress(place, item), title: item.properties.title }));
  return collection(place, { items: targets, extent: extentOf(items) });
}

const itemAddress = (place: Place, { id }: { readonly id: string }): string => `${address(place)}items/${id}/`;

function shared(place: Place, layer: string): ItemInput {
  const [state, district, name] = place;
  const id = itemId({ state, district, block: name, layer });
  const west = 90 + TEHSILS.findIndex((each) => each[2] === name);
  const ring = [
    [west, 24],
    [west + 0.5, 24],
    [west + 0.5, 24.5],
    [west, 24.5],
    [west, 24],
  ];
  return {
    id,
    geometry: { type: 'Polygon', coordinates: [ring] },
    title: `${layer} of ${name}`,
    description: 'Classified by rules',
    start: instant('2023-07-01T00:00:00Z'),
    end: instant('2024-06-30T00:00:00Z'),
    published: instant('2026-11-21T04:00:00.123Z'),
    keywords: ['land cover'],
    processing: { lineage: 'Median, thresholds', software: { headwater: '0.2.0' } },
    root: ROOT,
    collection: { id: collectionId(place.map(slug).join('/')), ...target(place) },
    self: itemAddress(place, { id }),
    derivedFrom: [{ href: 'https://example.org/eo/scene-1.json', title: 'Scene 1', type: 'application/geo+json' }],
    extra: { 'headwater:place': { state, district, block: name } },
  };
}

function raster(place: Place): Item {
  return rasterItem({
    ...shared(place, 'slope_raster'),
    grid: { code: 'EPSG:4326', shape: [500, 500], transform: [0.001, 0, 90, 0, -0.001, 24.5], gsd: 30 },
    content: { bands: [{ name: 'slope', dataType: 'float32', nodata: -9999, unit: '%' }] },
    assets: { data: { href: 'https://example.org/slope.tif', title: 'Raster Layer' } },
  });
}

function vector(place: Place): Item {
  return vectorItem<{ uid: string; area_in_ha: number }>({
    ...shared(place, 'mws_vector'),
    columns: columnsOf<{ uid: string; area_in_ha: number }>()({
      uid: { type: 'object', description: 'Micro-watershed id' },
      area_in_ha: { type: 'float64', description: 'Area, ha' },
    }),
    rowCount: 24,
    assets: { data: { href: 'https://example.org/mws.geojson', title: 'Vector Layer' } },
  });
}
