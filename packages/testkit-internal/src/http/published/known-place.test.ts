import { placeSlug } from '@headwater/core';
import { buildOperations } from '@headwater/http-service';
import { policiesOf } from '@headwater/identity';
import { expect, test } from 'vitest';
import { SAMPLE_PLACE } from '../fixture/sample-place.ts';
import { SAMPLE_PIPELINES } from '../fixture/sample-service.ts';
import { startSample } from './published.fixture.ts';

const ROOT = '/api/v1/stac/';

test('the 404 of a known place without results names the place and the route that computes it', async () => {
  const { headwater, send } = await startSample();
  const { state, district, geometry } = SAMPLE_PLACE;
  const bare = { geometry, mws: [], villages: [] };
  await headwater.stores.places.saveBundle({ state, district, tehsil: 'Jal Gaon', ...bare });
  await headwater.stores.places.saveBundle({ state: 'New State', district: 'Far', tehsil: 'Off', ...bare });
  const sample = [state, district].map(placeSlug).join('/');
  const responseOf = async (path: string) => {
    const answer = await send(ROOT + path);
    return [answer.status, await answer.json()];
  };
  const route = 'nothing has been computed for it yet. To compute it, send POST /api/v1/lulc_for_tehsil/.';
  const detail = (text: string) => [404, expect.objectContaining({ status: 404, detail: text })];
  expect(await responseOf(`${sample}/jal_gaon/`)).toEqual(
    detail(`Block collection not found: jal_gaon. Jal Gaon, ${district}, ${state} is a known place; ${route}`),
  );
  expect(await responseOf('new_state/')).toEqual(
    detail(`State collection not found: new_state. New State is a known place; ${route}`),
  );
  expect(await responseOf('new_state/far/')).toEqual(
    detail(`District collection not found: far. Far, New State is a known place; ${route}`),
  );
  for (const path of [`${sample}/jal_goan/`, 'new_state/far/of/', 'nowhere/'])
    expect(await responseOf(path)).toEqual(detail(expect.stringMatching(/collection not found: \w+$/)));
  const pageOf = async (path: string): Promise<readonly [number, string]> => {
    const answer = await send(path, { headers: { accept: 'text/html' } });
    return [answer.status, (await answer.text()).replace(/\s+/g, ' ').replaceAll('&quot;', '"')];
  };
  const [status, text] = await pageOf(`${ROOT}new_state/far/off/`);
  expect([status, text]).toEqual([200, expect.stringContaining('Off, Far, New State is a known place')]);
  expect(text).toContain('"state":"New State","district":"Far","block":"Off"');
  expect(text).toContain('href="/computations/"');
  expect(await pageOf(`${ROOT}new_state/`)).toEqual([200, expect.stringContaining(`href="${ROOT}new_state/far/"`)]);
  expect(await pageOf(`${ROOT}new_state/far/`)).toEqual([
    200,
    expect.stringContaining(`href="${ROOT}new_state/far/off/"`),
  ]);
  expect((await pageOf(`${ROOT}nowhere/`))[0]).toBe(404);
  await headwater.close();
});

/** Query for a place with a boundary, but without results. */
const QUERY = 'state=New%20State&district=Far';
const [OF_TEHSIL, OF_BLOCK] = [`?${QUERY}&tehsil=Off`, `?${QUERY}&block=Off`];
const COLLECTION = '/api/v1/stac-api/collections/new_state_far_off';

const KNOWN =
  'Off, Far, New State is a known place; nothing has been computed for it yet. To compute it, send POST /api/v1/lulc_for_tehsil/';
const NO_TABLE = /no table of off is published[:;] POST \/api\/v1\/\w+\/ .*computes it/i;
const IMPORT_MWS = 'POST /api/v1/import/mws/';

/** For each operation: the address of a request, and the text of the response that names the route to compute. */
const OF_A_PLACE: Readonly<Record<string, readonly [path: string, text: string | RegExp]>> = {
  getStateCollection: [
    `${ROOT}new_state/`,
    'New State is a known place; nothing has been computed for it yet. To compute it, send POST ',
  ],
  getDistrictCollection: [`${ROOT}new_state/far/`, 'Far, New State is a known place'],
  getBlockCollection: [`${ROOT}new_state/far/off/`, KNOWN],
  getItem: [`${ROOT}new_state/far/off/items/new_state_far_off_lulc/`, KNOWN],
  getLatestAsset: ['/api/v1/assets/latest/new_state/far/off/new_state_far_off_lulc/data', KNOWN],
  getStacCatalog: [`/api/v1/get_stac_catalog/${OF_BLOCK}`, KNOWN],
  getStacCollection: [COLLECTION, KNOWN],
  getStacCollectionChildren: [`${COLLECTION}/children`, KNOWN],
  getStacCollectionQueryables: [`${COLLECTION}/queryables`, KNOWN],
  listStacItems: [`${COLLECTION}/items`, KNOWN],
  getStacItem: [`${COLLECTION}/items/new_state_far_off_lulc`, KNOWN],
  listTables: ['/api/v1/tables/new_state/far/off/', NO_TABLE],
  getTable: ['/api/v1/tables/new_state/far/off/sample_annual/', /and POST \/api\/v1\/\w+\/ computes it/],
  // The response is an empty list, so only the header `Link` can name the route.
  getGeneratedLayerUrls: [
    `/api/v1/get_generated_layer_urls/${OF_TEHSIL}`,
    /^\[\]<http:\/\/\S+\/api\/v1\/lulc_for_tehsil\/>; rel="create-form"/,
  ],
  getMwsGeometries: [`/api/v1/get_mws_geometries/${OF_TEHSIL}`, IMPORT_MWS],
  getVillageGeometries: [`/api/v1/get_village_geometries/${OF_TEHSIL}`, 'POST /api/v1/import/villages/'],
  getMwsIdByLatLon: ['/api/v1/get_mwsid_by_latlon/?latitude=10&longitude=70', IMPORT_MWS],
  getTehsilData: [`/api/v1/get_tehsil_data/${OF_TEHSIL}`, NO_TABLE],
  getMwsData: [`/api/v1/get_mws_data/${OF_TEHSIL}&mws_id=1`, IMPORT_MWS],
  getMwsKylIndicators: [`/api/v1/get_mws_kyl_indicators/${OF_TEHSIL}&mws_id=1`, IMPORT_MWS],
  getMwsReport: [`/api/v1/get_mws_report/${OF_TEHSIL}&mws_id=1`, IMPORT_MWS],
  generateMwsReport: [`/api/v1/generate_mws_report/${OF_BLOCK}&uid=1`, IMPORT_MWS],
  downloadMwsReport: [`/api/v1/download_mws_report/${OF_BLOCK}&uid=1`, IMPORT_MWS],
  generateTehsilReport: [`/api/v1/generate_tehsil_report/${OF_BLOCK}`, 'computed by POST /api/v1/lulc_for_tehsil/'],
  generateResourceReport: [`/api/v1/generate_resource_report/${OF_BLOCK}`, 'computed by POST /api/v1/lulc_for_tehsil/'],
  generateStatsExcelFile: [`/api/v1/generate_stats_excel_file/${OF_BLOCK}`, NO_TABLE],
  downloadExcelLayer: [`/api/v1/download_excel_layer/${OF_BLOCK}`, NO_TABLE],
  addNewLayerDataToExcel: [`/api/v1/add_new_layer_data_to_excel/${OF_BLOCK}`, NO_TABLE],
  downloadKylData: [`/api/v1/download_kyl_data/${OF_BLOCK}`, NO_TABLE],
  downloadKylVillageData: [`/api/v1/download_kyl_village_data/${OF_BLOCK}`, 'POST /api/v1/import/villages/'],
};

/** Operations of `OF_A_PLACE` that respond without an error. */
const ANSWERED: ReadonlySet<string> = new Set([
  'generateTehsilReport',
  'generateResourceReport',
  'getGeneratedLayerUrls',
]);

/** All other operations, by the reason why a place without results does not matter to them. */
const OF_NO_PLACE: Readonly<Record<string, readonly string[]>> = {
  'are about the whole service': [
    'getFirstPage',
    'getDocs',
    'getMapFile',
    'getMetrics',
    'listComputations',
    'getPlainDocs',
    'getDocsFile',
    'getGuide',
    'getGuideFile',
    'getGuidePage',
    'getGuideChunk',
    'getSwagger',
    'getRedoc',
    'getOpenApi',
    'getHealth',
    'getMapServerReadiness',
    'getMapService',
    'getOgcFeatures',
    'getOgcFeaturesConformance',
    'getTilesLandingPage',
    'getTilesConformance',
    'getTileMatrixSets',
    'getTileMatrixSet',
    'listOrganizations',
    'showPasswordForm',
  ],
  'list what exists, of every place': [
    'findPlaces',
    'getPlaceOutlines',
    'getCatalog',
    'getStacApi',
    'getStacConformance',
    'getStacServiceDescription',
    'listStacCollections',
    'getStacChildren',
    'getTilesCollections',
    'getStacQueryables',
    'getActiveLocations',
    'getProposedBlocks',
    'listOgcCollections',
    'listRegions',
  ],
  'are the directory itself, which contains the place': [
    'listStates',
    'listDistricts',
    'listBlocks',
    'getAdminDetailsByLatLon',
  ],
  'name a file, layer, run or asset, from which no place can be read': [
    'getAsset',
    'getLayer',
    'getCoverage',
    'getWorkspaceService',
    'getMapStyle',
    'getOgcCollection',
    'getOgcCollectionSchema',
    'getOgcCollectionQueryables',
    'listOgcItems',
    'getOgcItem',
    'getTilesCollection',
    'getMapTileSets',
    'getMapTileSet',
    'getMapTile',
    'getVectorTileSets',
    'getVectorTileSet',
    'getVectorTile',
    'getTileJson',
    'getXyzTile',
    'getJob',
    'getRegion',
    'exportStatus',
    'workflowStatus',
  ],
  'compute a region themselves': ['exportAssetByQuery'],
  'must return an empty FeatureCollection, as the STAC API requires': ['searchStacItems'],
};

/** Members that repeat an error's text, because clients read different members. */
const REPEATED: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['getStateCollection', 'getDistrictCollection', 'getBlockCollection', 'getItem', 'getStacCatalog'].map((id) => [
      id,
      ['error'],
    ]),
  ),
  getTehsilData: ['Message'],
};

/** Members with the text of an earlier member. */
function repeating(body: string): readonly string[] {
  const members = Object.entries(JSON.parse(body) as Readonly<Record<string, unknown>>);
  return members.flatMap(([name, value], at) =>
    members.slice(0, at).some(([, earlier]) => earlier === value) ? [name] : [],
  );
}

const SIGNED_IN = ['bearer', 'superuser', 'token'];

test('for a known place without results, each GET that needs no sign-in names the route that computes the results', async () => {
  const { headwater, send } = await startSample();
  // A square far from the sample, so that no other place contains its points.
  const square = [
    [69.9, 9.9],
    [70.1, 9.9],
    [70.1, 10.1],
    [69.9, 10.1],
    [69.9, 9.9],
  ];
  const geometry = { type: 'Polygon' as const, coordinates: [square] };
  const names = { state: 'New State', district: 'Far', tehsil: 'Off' };
  await headwater.stores.places.saveBundle({ ...names, geometry, mws: [], villages: [] });
  const rows = buildOperations(headwater.pipelines).filter(
    ({ method, auth, tag }) =>
      // Operations for signed-in users are left out, because they name no place.
      method === 'GET' && tag !== 'pages' && !policiesOf(auth).some(({ name }) => SIGNED_IN.includes(name)),
  );
  expect([...Object.keys(OF_A_PLACE), ...Object.values(OF_NO_PLACE).flat()].sort()).toEqual(
    rows.map(({ id }) => id).sort(),
  );
  const made = await send('/api/v1/generate_api_key/', { method: 'POST' });
  const { data } = (await made.json()) as { data: { api_key: string } };
  for (const [id, [path, text]] of Object.entries(OF_A_PLACE)) {
    const answer = await send(path, { headers: { 'x-api-key': data.api_key } });
    const status = ANSWERED.has(id) ? 200 : 404;
    const named = typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text);
    const body = (await answer.text()) + (answer.headers.get('link') ?? '');
    expect([id, answer.status, body]).toEqual([id, status, named]);
    if (body.startsWith('{')) expect([id, repeating(body)]).toEqual([id, REPEATED[id] ?? []]);
  }
  await headwater.close();
});

test('if many routes can compute a place, the message names three of them and the page that lists the others', async () => {
  const [first] = SAMPLE_PIPELINES;
  const pipelines = [1, 2, 3, 4, 5].flatMap((at) =>
    first === undefined ? [] : [{ ...first, name: `layer_${at}`, route: `layer_${at}`, aliases: [] }],
  );
  const { headwater, send } = await startSample({ pipelines });
  await headwater.stores.places.saveBundle({
    state: 'New',
    district: 'Far',
    tehsil: 'Off',
    geometry: null,
    mws: [],
    villages: [],
  });
  const answer = await send(`${ROOT}new/far/off/`);
  expect(await answer.json()).toMatchObject({
    detail: expect.stringContaining(
      '. To compute it, send POST /api/v1/layer_1/ or POST /api/v1/layer_2/ or POST /api/v1/layer_3/ (or 2 other routes: GET /docs/).',
    ),
  });
  await headwater.close();
});
