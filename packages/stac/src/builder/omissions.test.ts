import { describe, expect, it } from 'vitest';
import { compile } from './omissions.fixture.ts';

const WHOLE: readonly string[] = [
  'rasterItem(RASTER_INPUT)',
  'rasterItem(NUMERIC_INPUT)',
  'vectorItem(VECTOR_INPUT)',
  'tabularRasterItem(TABULAR_INPUT)',
  'buildCollection(COLLECTION_INPUT)',
  'buildCollection({ ...COLLECTION_INPUT, summaries: { a: [10], b: { minimum: 1, maximum: 2 }, c: { type: "string" } } })',
  'buildCatalog(ROOT)',
  'columnsOf<{ uid: string; area?: number }>()({ uid: COLUMN, area: { ...COLUMN, type: "float64" } })',
  'columnsOf<{ uid: string; 2019: number }>()({ uid: COLUMN, 2019: { ...COLUMN, type: "float64" } })',
  'columnsOf<{ a: string } | { a: number; b?: string }>()({ a: COLUMN, b: COLUMN })',
  'columnsOf<{ uid: string; [further: string]: unknown }>()({ uid: COLUMN, area: COLUMN })',
  'columnsOf<Record<string, string>>()({ uid: COLUMN })',
  'vectorItem({ ...VECTOR_INPUT, columns: columnsOf<{ uid: string }>()({ uid: COLUMN }) })',
  'vectorItem<{ uid?: string }>({ ...VECTOR_INPUT, columns: columnsOf<{ uid?: string }>()({ uid: COLUMN }) })',
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

type Omission = readonly [message: string, snippet: string];

const without = (keys: string, snippet: (key: string) => string): readonly Omission[] =>
  keys.split(' ').map((key) => [`Property '${key}' is missing`, snippet(key)]);

const KINDS = ['Raster', 'TabularRaster', 'Vector'] as const;

/** Omissions in Items that are written by hand. Such Items need all required members. */
function ofItems(kind: (typeof KINDS)[number]): readonly Omission[] {
  const item = `sample${kind === 'TabularRaster' ? 'Tabular' : kind}()`;
  const fits = (members: string): string => `({ ...${item}, ${members} }) satisfies ${kind}Item`;
  const asset = (name: string, value: string): string => fits(`assets: { ...${item}.assets, ${name}: ${value} }`);
  const link = (rel: string, value: string): string => {
    const links = ['root', 'collection', 'parent'].map((each, at) => (each === rel ? value : `${item}.links[${at}]`));
    return fits(`links: [${links.join(', ')}]`);
  };
  return [
    ...without(
      'type stac_version stac_extensions id geometry bbox properties links assets collection',
      (key) => `without(${item}, '${key}') satisfies ${kind}Item`,
    ),
    ...without('title description start_datetime end_datetime datetime keywords', (key) =>
      fits(`properties: (({ ${key}: _, ...rest }) => rest)(${item}.properties)`),
    ),
    ...['root', 'collection', 'parent'].flatMap((rel, at): readonly Omission[] => [
      ...without('rel href type title', (key) => link(rel, `without(${item}.links[${at}], '${key}')`)),
      // Another relation replaces the required relation.
      [`'"${rel}"'`, link(rel, `{ ...${item}.links[${at}], rel: 'via' as const }`)],
    ]),
    ['Source has 2 element(s)', fits(`links: [${item}.links[0], ${item}.links[1]]`)],
    [EMPTY, fits('links: []')],
    ["Property 'data' is missing", fits('assets: {}')],
    ...['data', 'style', 'thumbnail'].flatMap((name) =>
      without('href type title roles', (key) => asset(name, `without(${item}.assets.data, '${key}')`)),
    ),
    ...Object.entries({ data: 'image/tiff', style: 'text/xml', thumbnail: 'image/jpeg' }).map(
      ([name, type]): Omission => [
        `Type '"${type}"' is not assignable`,
        asset(name, `{ ...${item}.assets.data, type: '${type}' as const }`),
      ],
    ),
    ...['data', 'style', 'thumbnail'].map((name): Omission => [
      EMPTY,
      asset(name, `{ ...${item}.assets.data, roles: [] }`),
    ]),
    ["Type 'null' is not assignable", fits('geometry: null')],
    ["Type 'undefined' is not assignable", fits('geometry: undefined')],
    ['Source has 3 element(s)', fits('bbox: [84, 23, 86]')],
    ["Type 'null' is not assignable", fits('bbox: null')],
    ["Type 'undefined' is not assignable", fits('collection: undefined')],
    ["Type 'undefined' is not assignable", asset('data', `{ ...${item}.assets.data, href: undefined }`)],
    ["Type 'string' is not assignable to type 'ItemId'", fits("id: 'lulc'")],
    ['\'"2.0.0"\' is not assignable', fits("stac_version: '2.0.0' as const")],
    ['\'"Collection"\' is not assignable', fits("type: 'Collection' as const")],
    // Texts that are not Items: an asset id, a layer name, a path.
    ['does not satisfy the expected type', `'projects/x/assets/lulc_2020' satisfies ${kind}Item`],
    ["'layer_name' does not exist in type", `({ layer_name: 'lulc_2020', workspace: 'lulc' }) satisfies ${kind}Item`],
    ["'path' does not exist in type", `({ path: '/data/lulc_2020.tif' }) satisfies ${kind}Item`],
  ];
}

function ofTables(kind: 'TabularRaster' | 'Vector'): readonly Omission[] {
  const item = kind === 'Vector' ? 'sampleVector()' : 'sampleTabular()';
  const columns = (value: string): string =>
    `({ ...${item}, properties: { ...${item}.properties, 'table:columns': ${value} } }) satisfies ${kind}Item`;
  return [
    ...without('name type description', (key) => columns(`[without({ name: 'uid', ...COLUMN }, '${key}')]`)),
    [EMPTY, columns('[]')],
    [
      'table/v1.2.0/schema.json"\'',
      `({ ...${item}, stac_extensions: sampleRaster().stac_extensions }) satisfies ${kind}Item`,
    ],
  ];
}

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
    ...['start', 'end', 'published'].map((time): Omission => [
      "Type 'string' is not assignable to type 'Instant'",
      `${build}({ ...${input}, ${time}: '2023' })`,
    ]),
    ...['style', 'thumbnail'].flatMap((name) =>
      without(
        'href title',
        (key) => `${build}({ ...${input}, assets: { ...${input}.assets, ${name}: without(ASSET, '${key}') } })`,
      ),
    ),
    ["Type 'string' is not assignable to type 'ItemId'", `${build}({ ...${input}, id: 'lulc' })`],
    [NEVER, `${build}({ ...${input}, bbox: [0, 0, 1, 1] })`],
  ]),
  ...without('grid content', (key) => `rasterItem(without(RASTER_INPUT, '${key}'))`),
  ["Property 'classes' is missing", "rasterItem({ ...RASTER_INPUT, content: { dataType: 'uint8' } })"],
  [EMPTY, "rasterItem({ ...RASTER_INPUT, content: { dataType: 'uint8', classes: [] } })"],
  [EMPTY, 'rasterItem({ ...RASTER_INPUT, content: { bands: [] } })'],
  ["Property 'dataType' is missing", "rasterItem({ ...RASTER_INPUT, content: { bands: [{ name: 'a' }] } })"],
  [NEVER, 'rasterItem({ ...RASTER_INPUT, columns: VECTOR_INPUT.columns })'],
  // `extra` must not accept fields of extensions.
  [NEVER, "rasterItem({ ...RASTER_INPUT, extra: { 'table:columns': [] } })"],
  [NEVER, "vectorItem({ ...VECTOR_INPUT, extra: { 'own:x': 1, 'proj:code': 'EPSG:4326' } })"],
  ...without('columns rowCount', (key) => `vectorItem(without(VECTOR_INPUT, '${key}'))`),
  [EMPTY, 'vectorItem({ ...VECTOR_INPUT, columns: [] })'],
  ...without(
    'name type description',
    (key) => `vectorItem({ ...VECTOR_INPUT, columns: [without({ name: 'uid', ...COLUMN }, '${key}')] })`,
  ),
  [
    "Property '[rowBrand]' is missing",
    "vectorItem<{ uid: string; area: number }>({ ...VECTOR_INPUT, columns: [{ name: 'uid', ...COLUMN }] })",
  ],
  ["Property 'area' is missing", 'columnsOf<{ uid: string; area?: number }>()({ uid: COLUMN })'],
  // The columns lack `area`. It is optional in the first row type, and required in one member of the union.
  ...['{ uid: string; area?: number }', '{ uid: string } | { uid: string; area: number }'].map((row): Omission => [
    "Columns<{ uid: string; }>' is not assignable",
    `vectorItem<${row}>({ ...VECTOR_INPUT, columns: columnsOf<{ uid: string }>()({ uid: COLUMN }) })`,
  ]),
  [
    'Type \'"area"\' is not assignable to type \'"uid"\'',
    "vectorItem<{ uid?: unknown }>({ ...VECTOR_INPUT, columns: [{ name: 'area', ...COLUMN }] })",
  ],
  [
    'Type \'"object"\' is not assignable to type \'"float64" | "int64"\'',
    'columnsOf<{ area: number }>()({ area: COLUMN })',
  ],
  ["to parameter of type 'never'", 'columnsOf<object>()({})'],
  // Row types with a year as the name of a property, with a union, and with an index signature.
  ["Property '2019' is missing", 'columnsOf<{ uid: string; 2019: number }>()({ uid: COLUMN })'],
  ["Property 'b' is missing", 'columnsOf<{ a: string } | { a: string; b: string }>()({ a: COLUMN })'],
  ["Property 'uid' is missing", 'columnsOf<{ uid: string; [further: string]: unknown }>()({ area: COLUMN })'],
  ...without('columns rowCount', (key) => `tabularRasterItem(without(TABULAR_INPUT, '${key}'))`),
  ["Property 'table' is missing", 'tabularRasterItem({ ...TABULAR_INPUT, assets: RASTER_INPUT.assets })'],
  ...without(
    'id title description self root parent keywords license extent',
    (key) => `buildCollection(without(COLLECTION_INPUT, '${key}'))`,
  ),
  [EMPTY, 'buildCollection({ ...COLLECTION_INPUT, providers: [] })'],
  [EMPTY, 'buildCollection({ ...COLLECTION_INPUT, keywords: [] })'],
  [NEVER, 'buildCollection({ ...COLLECTION_INPUT, bbox: [0, 0, 1, 1] })'],
  ...['[]', '[[0, 0, 1, 1], [0, 0, 1, 1]]'].map((boxes): Omission => [
    `Source has ${boxes === '[]' ? 0 : 2} element(s)`,
    `buildCollection({ ...COLLECTION_INPUT, extent: { ...COLLECTION_INPUT.extent, spatial: { bbox: ${boxes} } } })`,
  ]),
  [
    EMPTY,
    'buildCollection({ ...COLLECTION_INPUT, extent: { ...COLLECTION_INPUT.extent, temporal: { interval: [] } } })',
  ],
  ...['7', "'x'", '[]', 'null'].map((summary): Omission => [
    "is not assignable to type 'Summary'",
    `buildCollection({ ...COLLECTION_INPUT, summaries: { gsd: ${summary} } })`,
  ]),
  ...without('id title description self', (key) => `buildCatalog(without(ROOT, '${key}'))`),
  ["Property 'root' is missing", 'buildCatalog({ ...ROOT, parent: COLLECTION_INPUT.parent })'],
  ["Property 'parent' is missing", 'buildCatalog({ ...ROOT, root: COLLECTION_INPUT.root })'],
  ...without(
    'type stac_version id title description keywords license extent links',
    (key) => `without(sampleCollection(), '${key}') satisfies Collection`,
  ),
  ...without(
    'type stac_version id title description links',
    (key) => `without(sampleCatalog(), '${key}') satisfies Catalog`,
  ),
  ...KINDS.flatMap(ofItems),
  ...ofTables('Vector'),
  ...ofTables('TabularRaster'),
  [
    "Property ''table:columns'' is optional",
    '({ ...sampleVector(), properties: sampleRaster().properties }) satisfies VectorItem',
  ],
  [EMPTY, '({ ...sampleVector(), stac_extensions: [] }) satisfies VectorItem'],
  [NEVER, '({ ...sampleRaster(), properties: sampleTabular().properties }) satisfies RasterItem'],
  ...['bbox = [0, 0, 1, 1]', "properties.title = ''", "assets.data.href = ''", "links[0].href = ''"].map(
    (change): Omission => ['because it is a read-only property', `sampleVector().${change}`],
  ),
  ['because it is a read-only property', "sampleRaster().geometry.type = 'Point'"],
  ["The operand of a 'delete' operator cannot be a read-only property", 'delete sampleRaster().bbox'],
  ['only permits reading', "sampleRaster().assets['other'] = sampleRaster().assets.data"],
  ['because it is a read-only property', 'sampleCollection().extent.spatial.bbox = [[0, 0, 1, 1]]'],
  ['because it is a read-only property', "sampleCatalog().title = ''"],
  [EMPTY, '({ ...sampleCollection(), links: [] }) satisfies Collection'],
  [EMPTY, '({ ...sampleCatalog(), links: [] }) satisfies Catalog'],
];

describe('omissions that the specification forbids', () => {
  const snippets = OMISSIONS.map(([, snippet]) => snippet);
  const errorsOf = compile([...WHOLE, ...snippets]);

  it.each(WHOLE.map((snippet, index) => [snippet, errorsOf[index]] as const))(
    'compiles without omission: %s',
    (_snippet, errors) => {
      expect(errors).toBe('');
    },
  );

  it.each(OMISSIONS.map(([expected, snippet], index) => [snippet, expected, errorsOf[WHOLE.length + index]] as const))(
    'does not compile: %s: %s',
    (_snippet, expected, errors) => {
      expect(errors).toContain(expected);
    },
  );
});
