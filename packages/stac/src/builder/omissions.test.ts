import { describe, expect, it } from 'vitest';
import { compile } from './omissions.fixture.ts';

/** Everything that the specification demands is there: these compile. */
const WHOLE: readonly string[] = [
  'rasterItem(RASTER_INPUT)',
  'rasterItem(NUMERIC_INPUT)',
  'vectorItem(VECTOR_INPUT)',
  'tabularRasterItem(TABULAR_INPUT)',
  'buildCollection(COLLECTION_INPUT)',
  'buildCatalog(ROOT)',
  'columnsOf<{ uid: string; area?: number }>()({ uid: COLUMN, area: { ...COLUMN, type: "float64" } })',
  'sampleRaster() satisfies RasterItem',
  'sampleVector() satisfies VectorItem',
  'sampleTabular() satisfies TabularRasterItem',
  'sampleCollection() satisfies Collection',
];

const INPUTS = {
  rasterItem: 'RASTER_INPUT',
  vectorItem: 'VECTOR_INPUT',
  tabularRasterItem: 'TABULAR_INPUT',
} as const;
const OF_EACH_ITEM = 'id geometry title description start end published keywords processing root collection assets';

const EMPTY = 'Source has 0 element(s)';
const NEVER = "is not assignable to type 'never'";

type Omission = readonly [told: string, snippet: string];

/** One for each of the members named: the snippet without it. */
const without = (keys: string, snippet: (key: string) => string): readonly Omission[] =>
  keys.split(' ').map((key) => [`Property '${key}' is missing`, snippet(key)]);

/** What the compiler must tell, and the snippet that leaves something out or gives what may not be given. */
const OMISSIONS: readonly Omission[] = [
  ...Object.entries(INPUTS).flatMap(([build, input]): readonly Omission[] => [
    ...without(OF_EACH_ITEM, (key) => `${build}(without(${input}, '${key}'))`),
    ...without('data', (key) => `${build}({ ...${input}, assets: without(${input}.assets, '${key}') })`),
    ...without(
      'href title',
      (key) => `${build}({ ...${input}, assets: { ...${input}.assets, data: without(ASSET, '${key}') } })`,
    ),
    ...without('href title', (key) => `${build}({ ...${input}, root: without(ASSET, '${key}') })`),
    ...without(
      'id href title',
      (key) => `${build}({ ...${input}, collection: without(${input}.collection, '${key}') })`,
    ),
    [EMPTY, `${build}({ ...${input}, keywords: [] })`],
    ["Type 'string' is not assignable to type 'Instant'", `${build}({ ...${input}, start: '2023' })`],
    ["Type 'string' is not assignable to type 'ItemId'", `${build}({ ...${input}, id: 'lulc' })`],
    [NEVER, `${build}({ ...${input}, bbox: [0, 0, 1, 1] })`],
  ]),
  ...without('grid content', (key) => `rasterItem(without(RASTER_INPUT, '${key}'))`),
  ["Property 'classes' is missing", "rasterItem({ ...RASTER_INPUT, content: { dataType: 'uint8' } })"],
  [EMPTY, "rasterItem({ ...RASTER_INPUT, content: { dataType: 'uint8', classes: [] } })"],
  [EMPTY, 'rasterItem({ ...RASTER_INPUT, content: { bands: [] } })'],
  ["Property 'dataType' is missing", "rasterItem({ ...RASTER_INPUT, content: { bands: [{ name: 'a' }] } })"],
  [NEVER, 'rasterItem({ ...RASTER_INPUT, columns: VECTOR_INPUT.columns })'],
  ...without('columns rowCount', (key) => `vectorItem(without(VECTOR_INPUT, '${key}'))`),
  [EMPTY, 'vectorItem({ ...VECTOR_INPUT, columns: [] })'],
  ["Property 'description' is missing", "vectorItem({ ...VECTOR_INPUT, columns: [{ name: 'uid', type: 'object' }] })"],
  [
    "Property '[rowBrand]' is missing",
    "vectorItem<{ uid: string; area: number }>({ ...VECTOR_INPUT, columns: [{ name: 'uid', ...COLUMN }] })",
  ],
  ["Property 'area' is missing", 'columnsOf<{ uid: string; area?: number }>()({ uid: COLUMN })'],
  [
    'Type \'"object"\' is not assignable to type \'"float64" | "int64"\'',
    'columnsOf<{ area: number }>()({ area: COLUMN })',
  ],
  ["to parameter of type 'never'", 'columnsOf<object>()({})'],
  ...without('columns rowCount', (key) => `tabularRasterItem(without(TABULAR_INPUT, '${key}'))`),
  ["Property 'table' is missing", 'tabularRasterItem({ ...TABULAR_INPUT, assets: RASTER_INPUT.assets })'],
  ...without(
    'id title description self root parent keywords license providers extent',
    (key) => `buildCollection(without(COLLECTION_INPUT, '${key}'))`,
  ),
  [EMPTY, 'buildCollection({ ...COLLECTION_INPUT, providers: [] })'],
  [EMPTY, 'buildCollection({ ...COLLECTION_INPUT, keywords: [] })'],
  [NEVER, 'buildCollection({ ...COLLECTION_INPUT, bbox: [0, 0, 1, 1] })'],
  ...without('id title description self', (key) => `buildCatalog(without(ROOT, '${key}'))`),
  ["Property 'root' is missing", 'buildCatalog({ ...ROOT, parent: COLLECTION_INPUT.parent })'],
  ["Property 'parent' is missing", 'buildCatalog({ ...ROOT, root: COLLECTION_INPUT.root })'],
  ...['Raster', 'TabularRaster', 'Vector'].flatMap((kind) =>
    without(
      'type stac_version stac_extensions id geometry bbox properties links assets collection',
      (key) => `without(sample${kind.replace('Raster', '') || 'Raster'}(), '${key}') satisfies ${kind}Item`,
    ),
  ),
  ["Property 'data' is missing", '({ ...sampleRaster(), assets: {} }) satisfies RasterItem'],
  [
    "Property ''table:columns'' is optional",
    '({ ...sampleVector(), properties: sampleRaster().properties }) satisfies VectorItem',
  ],
  [EMPTY, '({ ...sampleVector(), stac_extensions: [] }) satisfies VectorItem'],
  [
    'table/v1.2.0/schema.json"\'',
    '({ ...sampleVector(), stac_extensions: sampleRaster().stac_extensions }) satisfies VectorItem',
  ],
  [NEVER, '({ ...sampleRaster(), properties: sampleTabular().properties }) satisfies RasterItem'],
  ['Source has 1 element(s)', '({ ...sampleRaster(), links: [sampleRaster().links[0]] }) satisfies RasterItem'],
  [EMPTY, '({ ...sampleCollection(), links: [] }) satisfies Collection'],
  [EMPTY, '({ ...sampleCatalog(), links: [] }) satisfies Catalog'],
];

describe('each omission that the specification forbids', () => {
  const snippets = OMISSIONS.map(([, snippet]) => snippet);
  const told = compile([...WHOLE, ...snippets]);

  it.each(WHOLE.map((snippet, index) => [snippet, told[index]] as const))('compiles whole: %s', (_snippet, errors) => {
    expect(errors).toBe('');
  });

  it.each(OMISSIONS.map(([expected, snippet], index) => [snippet, expected, told[WHOLE.length + index]] as const))(
    'does not compile: %s: %s',
    (_snippet, expected, errors) => {
      expect(errors).toContain(expected);
    },
  );
});
