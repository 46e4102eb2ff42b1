import {
  buildCatalog,
  buildCollection,
  columnsOf,
  extentOf,
  instant,
  itemId,
  type ItemInput,
  lintTree,
  memberFields,
  membersOf,
  rasterItem,
  validate,
  vectorItem,
} from '@headwater/stac';

const root = { href: 'https://example.org/stac/', title: 'My maps' };
const tehsil = { id: 'assam_cachar_lakhipur', href: 'https://example.org/stac/lakhipur/', title: 'Lakhipur' };
const place = { state: 'Assam', district: 'Cachar', block: 'Lakhipur' };

const extent = [
  [92.9, 24.7],
  [93.1, 24.7],
  [93.1, 24.8],
  [92.9, 24.8],
];

/** Input that both layers share. */
function shared(layer: string, title: string): ItemInput {
  const id = itemId({ ...place, layer });
  return {
    id,
    title,
    description: 'From Sentinel-2, by a method that is described here',
    geometry: { type: 'Polygon', coordinates: [extent] },
    start: instant('2023-07-01T00:00:00Z'),
    end: instant('2024-06-30T23:59:59Z'),
    published: instant(new Date()),
    keywords: ['land cover'],
    processing: { lineage: 'Classes by rules', software: { mine: '1.0.0' } },
    root,
    collection: tehsil,
    self: `${tehsil.href}items/${id}/`,
  };
}

const raster = rasterItem({
  ...shared('land_cover_raster', 'Land cover'),
  grid: { code: 'EPSG:4326', shape: [1000, 2000], transform: [0.0001, 0, 92.9, 0, -0.0001, 24.8], gsd: 10 },
  content: {
    dataType: 'uint8',
    classes: [
      { value: 1, name: 'water', description: 'Water' },
      { value: 2, name: 'trees', description: 'Trees', color: '#38761d' },
    ],
  },
  assets: { data: { href: 'https://example.org/files/land_cover.tif', title: 'GeoTIFF' } },
});

interface Row {
  readonly uid: string;
  readonly area_in_ha: number;
}
const vector = vectorItem<Row>({
  ...shared('land_cover_vector', 'Land cover of micro-watersheds'),
  // A missing column, or a column type that cannot contain the property's values, is a compiler error.
  columns: columnsOf<Row>()({
    uid: { type: 'object', description: 'Micro-watershed id' },
    area_in_ha: { type: 'float64', description: 'Area, ha' },
  }),
  rowCount: 24,
  assets: { data: { href: 'https://example.org/files/land_cover.geojson', title: 'GeoJSON' } },
});

const items = [raster, vector];
const collection = buildCollection({
  id: tehsil.id,
  title: tehsil.title,
  description: 'Layers of Lakhipur',
  self: tehsil.href,
  root,
  parent: root,
  items: items.map(({ id, properties }) => ({ href: `${tehsil.href}items/${id}/`, title: properties.title })),
  keywords: ['land cover'],
  license: 'CC-BY-4.0',
  links: [{ rel: 'license', href: 'https://spdx.org/licenses/CC-BY-4.0.html', title: 'CC-BY-4.0', type: 'text/html' }],
  providers: [{ name: 'Me', roles: ['producer'] }],
  extent: extentOf(items), // from the boxes and times of the Items
  ...memberFields(membersOf(items)), // summaries and item_assets
});
const catalog = buildCatalog({
  id: 'my-maps',
  title: root.title,
  description: 'All my maps',
  self: root.href,
  children: [tehsil],
});

const documents = new Map<string, object>([
  [root.href, catalog],
  [tehsil.href, collection],
  ...items.map((item) => [`${tehsil.href}items/${item.id}/`, item] as const),
]);
for (const [href, document] of documents) console.log(href, validate(document).length);
const read = async (href: string): Promise<unknown> => documents.get(href);
const findings = await lintTree({ root: root.href, read, documents: [...documents.keys()] });
console.log(`${findings.length} findings in the tree`);
