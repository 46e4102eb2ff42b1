/** First part of the paths that existing clients use. */
const API = '/api/v1';
/** First part of the paths of the STAC API, which has the same catalogue with search. */
const STAC_API = `${API}/stac-api`;
/** First part of the paths of the service's own map server. */
const MAP_SERVER = '/geoserver';
const OGC_FEATURES = `${MAP_SERVER}/ogc/features/v1`;

/** All paths of the service, with `:param` segments. The rows of the table and all links use them. */
export const paths = {
  firstPage: '/',
  places: '/places/',
  placeOutlines: '/places/outlines/',
  computations: '/computations/',
  docs: '/docs/',
  signIn: '/login/',
  adminSignIn: '/admin/login/',
  admin: '/admin/',
  adminList: '/admin/:resource/',
  adminImport: '/admin/places/import/',
  adminImportNow: '/admin/places/import/checked/',
  adminAdd: '/admin/:resource/add/',
  adminRow: '/admin/:resource/:id/',
  adminAction: '/admin/:resource/:id/actions/:action/',
  adminActions: '/admin/:resource/actions/',
  signOut: '/logout/',
  registerPage: '/register/',
  forgotPage: '/forgot/',
  dashboard: '/dashboard/',
  dashboardKeys: '/dashboard/keys/',
  dashboardKeyEnd: '/dashboard/keys/revoke/',
  dashboardDownloads: '/dashboard/downloads/',
  dashboardCompute: '/dashboard/compute/',
  dashboardRunCancel: '/dashboard/runs/:id/cancel/',
  dashboardRunRetry: '/dashboard/runs/:id/retry/',
  dashboardRunEvents: '/dashboard/runs/:id/events/',
  dashboardPassword: '/dashboard/password/',
  plainDocs: '/docs/plain/',
  docsFile: '/docs/files/:file',
  guide: '/docs/guide/',
  guideFile: '/docs/guide/:file',
  guidePage: '/docs/guide/:section/:file',
  guideChunk: '/docs/guide/:section/:folder/:file',
  mapFile: '/map/files/:file',
  swagger: '/swagger/',
  redoc: '/redoc/',
  health: '/api/health',
  metrics: '/metrics',
  exportAsset: '/api/export-asset',
  exportStatus: '/api/export-status',
  workflowRun: '/api/dag/run',
  workflowStatus: '/api/dag/status',
  jobs: '/api/jobs',
  job: '/api/jobs/:id',
  jobResult: '/api/jobs/:id/result',
  openApi: `${API}/openapi.json`,
  register: `${API}/auth/register/`,
  listedOrganizations: `${API}/auth/register/available_organizations/`,
  login: `${API}/auth/login/`,
  refreshToken: `${API}/auth/token/refresh/`,
  logout: `${API}/auth/logout/`,
  forgotPassword: `${API}/auth/forgot-password/`,
  passwordLink: `${API}/auth/reset-password/:uid/:token/`,
  resetPassword: `${API}/users/:id/reset_password/`,
  users: `${API}/users/`,
  myProjects: `${API}/users/my_projects/`,
  setOrganization: `${API}/users/:id/set_organization/`,
  setGroup: `${API}/users/:id/set_group/`,
  removeGroup: `${API}/users/:id/remove_group/`,
  organizations: `${API}/organizations/`,
  organization: `${API}/organizations/:id/`,
  groups: `${API}/groups/`,
  group: `${API}/groups/:id/`,
  projects: `${API}/projects/`,
  projectUsers: `${API}/projects/:project_pk/users/`,
  projectUser: `${API}/projects/:project_pk/users/:id/`,
  user: `${API}/users/:id/`,
  changePassword: `${API}/users/change_password/`,
  eoAccounts: `${API}/eoaccounts/`,
  eoAccount: `${API}/eoaccounts/:id/`,
  eoAccountGroups: `${API}/geeaccounts/`,
  changeApiKeys: `${API}/generate_api_key/`,
  listApiKeys: `${API}/get_user_api_keys/`,
  runs: `${API}/runs/`,
  run: `${API}/runs/:id/`,
  runLog: `${API}/runs/:id/log/`,
  runEvents: `${API}/runs/:id/events/`,
  runCancel: `${API}/runs/:id/cancel/`,
  regions: `${API}/regions/`,
  region: `${API}/regions/:id/`,
  catalog: `${API}/stac/`,
  stateCollection: `${API}/stac/:state/`,
  districtCollection: `${API}/stac/:state/:district/`,
  blockCollection: `${API}/stac/:state/:district/:block/`,
  item: `${API}/stac/:state/:district/:block/items/:item/`,
  stacApi: `${STAC_API}/`,
  stacConformance: `${STAC_API}/conformance`,
  stacServiceDesc: `${STAC_API}/api`,
  stacSearch: `${STAC_API}/search`,
  stacQueryables: `${STAC_API}/queryables`,
  stacChildren: `${STAC_API}/children`,
  stacCollections: `${STAC_API}/collections`,
  stacCollection: `${STAC_API}/collections/:collection_id`,
  stacCollectionQueryables: `${STAC_API}/collections/:collection_id/queryables`,
  stacCollectionChildren: `${STAC_API}/collections/:collection_id/children`,
  stacCollectionItems: `${STAC_API}/collections/:collection_id/items`,
  stacCollectionItem: `${STAC_API}/collections/:collection_id/items/:item_id`,
  stacScope: `${API}/get_stac_catalog/`,
  stacGenerate: `${API}/generate_stac_collection/`,
  asset: `${API}/assets/:run/:token/:name`,
  latestAsset: `${API}/assets/latest/:state/:district/:block/:item/:asset`,
  layerOrder: `${API}/generate_layer_in_order/`,
  importFile: `${API}/import/:kind/`,
  tables: `${API}/tables/:state/:district/:block/`,
  table: `${API}/tables/:state/:district/:block/:name/`,
  features: `${MAP_SERVER}/:workspace/ows`,
  coverage: `${MAP_SERVER}/:workspace/wcs`,
  mapService: `${MAP_SERVER}/:service`,
  workspaceService: `${MAP_SERVER}/:workspace/:service`,
  mapReadiness: `${MAP_SERVER}/web/`,
  mapStyle: `${MAP_SERVER}/styles/:workspace/:file`,
  ogcFeatures: `${OGC_FEATURES}/`,
  ogcFeaturesConformance: `${OGC_FEATURES}/conformance`,
  ogcCollections: `${OGC_FEATURES}/collections`,
  ogcCollection: `${OGC_FEATURES}/collections/:collection`,
  ogcCollectionSchema: `${OGC_FEATURES}/collections/:collection/schema`,
  ogcCollectionQueryables: `${OGC_FEATURES}/collections/:collection/queryables`,
  ogcItems: `${OGC_FEATURES}/collections/:collection/items`,
  ogcItem: `${OGC_FEATURES}/collections/:collection/items/:feature`,
  mapTiles: `${MAP_SERVER}/ogc/tiles/v1/`,
  mapTilesConformance: `${MAP_SERVER}/ogc/tiles/v1/conformance`,
  tileMatrixSets: `${MAP_SERVER}/ogc/tiles/v1/tileMatrixSets`,
  tileMatrixSet: `${MAP_SERVER}/ogc/tiles/v1/tileMatrixSets/:set`,
  mapTilesCollections: `${MAP_SERVER}/ogc/tiles/v1/collections`,
  mapTilesCollection: `${MAP_SERVER}/ogc/tiles/v1/collections/:collection`,
  mapTileSets: `${MAP_SERVER}/ogc/tiles/v1/collections/:collection/map/tiles`,
  mapTileSet: `${MAP_SERVER}/ogc/tiles/v1/collections/:collection/map/tiles/:set`,
  mapTile: `${MAP_SERVER}/ogc/tiles/v1/collections/:collection/map/tiles/:set/:zoom/:row/:col`,
  vectorTileSets: `${MAP_SERVER}/ogc/tiles/v1/collections/:collection/tiles`,
  vectorTileSet: `${MAP_SERVER}/ogc/tiles/v1/collections/:collection/tiles/:set`,
  vectorTile: `${MAP_SERVER}/ogc/tiles/v1/collections/:collection/tiles/:set/:zoom/:row/:col`,
  tileJson: `${MAP_SERVER}/tiles/:workspace/:file`,
  xyzTile: `${MAP_SERVER}/tiles/:workspace/:layer/:zoom/:col/:file`,
  states: `${API}/get_states/`,
  districts: `${API}/get_districts/:state_id/`,
  blocks: `${API}/get_blocks/:district_id/`,
  activateLocation: `${API}/activate_location/`,
  proposedBlocks: `${API}/proposed_blocks/`,
  activeLocations: `${API}/get_active_locations/`,
  adminAtPoint: `${API}/get_admin_details_by_latlon/`,
  mwsAtPoint: `${API}/get_mwsid_by_latlon/`,
  layerUrls: `${API}/get_generated_layer_urls/`,
  mwsGeometries: `${API}/get_mws_geometries/`,
  villageGeometries: `${API}/get_village_geometries/`,
  tehsilData: `${API}/get_tehsil_data/`,
  kylIndicators: `${API}/get_mws_kyl_indicators/`,
  mwsData: `${API}/get_mws_data/`,
  mwsReportUrl: `${API}/get_mws_report/`,
  mwsReport: `${API}/generate_mws_report/`,
  mwsReportFile: `${API}/download_mws_report/`,
  tehsilReport: `${API}/generate_tehsil_report/`,
  statsWorkbook: `${API}/generate_stats_excel_file/`,
  layersWorkbook: `${API}/download_excel_layer/`,
  refreshWorkbook: `${API}/add_new_layer_data_to_excel/`,
  kylDownload: `${API}/download_kyl_data/`,
  kylVillages: `${API}/download_kyl_village_data/`,
} as const;

/** Path of a route that starts a pipeline. */
export function computePath(route: string): string {
  return `${API}/${route}/`;
}

/** Fills the parameters of a path. Does not encode them, because ids and slugs need no encoding. */
export function fill(pattern: string, params: Readonly<Record<string, string>>): string {
  return pattern.replace(/:(\w+)/g, (whole, name: string) => params[name] ?? whole);
}

/** True for the path of a request to the service's own map server. */
export function isMapServerPath(path: string): boolean {
  return path === MAP_SERVER || path.startsWith(`${MAP_SERVER}/`);
}

/** Segments of a path below the map server, not decoded. */
export function mapServerSegments(path: string): readonly string[] {
  return path
    .slice(MAP_SERVER.length)
    .split('/')
    .filter((segment) => segment !== '');
}

/** Address of the service's own map server. */
export function ownMapServer(base: string): string {
  return base + MAP_SERVER;
}
