import {
  buildOperations,
  EXAMPLE_LAYERS,
  EXAMPLE_NAMES,
  EXAMPLE_RUN,
  EXAMPLE_UID,
  type Operation,
  type OperationExample,
} from '@headwater/http-service';
import { maskedText } from '@headwater/identity';
import { SAMPLE_PIPELINES, SAMPLE_USERS } from '../http/fixture/sample-service.ts';
import { exampleInit, exampleUrl } from '../http/suite/examples.ts';

/** Names, ids and credentials for requests. */
export interface WorldFacts {
  /** Request headers: `bearer` signs in the owner, `superuser` an operator; `apiKey` contains an API key. */
  readonly bearer: Readonly<Record<string, string>>;
  readonly superuser: Readonly<Record<string, string>>;
  readonly apiKey: Readonly<Record<string, string>>;
  readonly refreshToken: string;
  /** A browser without a session. `browser` is a browser with a session of the owner. */
  readonly visitor: BrowserFacts;
  readonly browser: BrowserFacts;
  /** Browser with the session of a superuser. */
  readonly admin: BrowserFacts;
  readonly keyText: string;
  readonly ownerId: number;
  readonly otherId: number;
  /** Parameters of the mailed password link. */
  readonly link: Readonly<Record<'uid' | 'token', string>>;
  readonly organizationId: string;
  readonly projectId: number;
  readonly memberId: number;
  readonly jobId: string;
  readonly queuedRun: string;
  /** A run of a district that failed because it was cancelled. */
  readonly scopeRun: string;
  /** A queued run of a district. */
  readonly openScopeRun: string;
  /** A run without an owner. */
  readonly unownedRun: string;
  /** A published region. */
  readonly region: string;
}

/** Headers and form token of a browser. */
export interface BrowserFacts {
  readonly headers: Readonly<Record<string, string>>;
  readonly token: string;
}

/** A request to an operation, with the expected status. */
export interface RowRequest {
  readonly row: Operation;
  readonly name: string;
  readonly path: string;
  readonly init: RequestInit;
  readonly status: number;
  /** Last log line of the work after the response. */
  readonly lastLine?: RegExp;
  /** True if the request takes half a second, because a child process reads a file. */
  readonly isSlow?: boolean;
}

type Own = Omit<OperationExample, 'name'> & Pick<RowRequest, 'lastLine'>;

const BALANCE = JSON.stringify({ ET: 1, RunOff: 2, Precipitation: 3, G: 0, DeltaG: 0 });
const SERIES = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { uid: EXAMPLE_UID, '2017-07-01': BALANCE },
      geometry: { type: 'Point', coordinates: [85, 24] },
    },
  ],
});

const RING = '85,24 85.01,24 85.01,24.01 85,24.01 85,24';
const KML = `<kml><Placemark><ExtendedData><Data name="uid"><value>12_77</value></Data></ExtendedData><Polygon><outerBoundaryIs><LinearRing><coordinates>${RING}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></kml>`;

const COMPUTATION = {
  state: 'Sample State',
  district: 'Sample District',
  tehsil: 'Sample Tehsil',
  layer: SAMPLE_PIPELINES[0].name,
  start_year: '2021',
  end_year: '2021',
  eo_account_id: '1',
};

type Named = Own & Pick<RowRequest, 'name'>;

/** Requests for operations whose examples do not make all store calls. */
const OWN: Readonly<Record<string, (facts: WorldFacts) => readonly Own[]>> = {
  signIn: ({ visitor: { headers, token } }) => [{ headers, body: { ...SAMPLE_USERS.owner, token }, status: 303 }],
  registerByForm: ({ visitor: { headers, token } }) => {
    const password = 'tall-river-42';
    const names = { username: 'new_reader', email: 'reader@example.org', organization: 'Ponds and Wells' };
    return [{ headers, body: { ...names, password, password_confirm: password, token }, status: 303 }];
  },
  sendLinkByForm: ({ visitor: { headers, token } }) => {
    const body = { username: SAMPLE_USERS.owner.username, token };
    return [{ headers, body, status: 200, lastLine: /password_link_|could not send a mail/ }];
  },
  showDashboard: ({ browser: { headers } }) => [{ headers, status: 200 }],
  makeKeyByForm: ({ browser: { headers, token } }) => [{ headers, body: { name: 'field laptop', token }, status: 200 }],
  endKeyByForm: ({ browser: { headers, token }, keyText }) => [
    { headers, body: { key: maskedText(keyText.slice(0, 8)), token }, status: 303 },
  ],
  followOwnRun: ({ browser: { headers } }) => [{ headers, params: { id: EXAMPLE_RUN }, status: 200 }],
  showComputeForm: ({ browser: { headers } }) => [
    { headers, status: 200 },
    { headers, query: { q: 'sample' }, status: 200 },
    { headers, query: { state: 'Sample State', district: 'Sample District' }, status: 200 },
    { headers, query: { ...COMPUTATION, check: '1' }, status: 200 },
  ],
  startByForm: ({ browser: { headers, token } }) => [
    { headers, body: { ...COMPUTATION, token }, status: 303 },
    { headers, body: { ...COMPUTATION, token, check: 'estimate' }, status: 200 },
  ],
  showDownloads: ({ browser: { headers } }) => [{ headers, status: 200 }],
  cancelRunByForm: ({ browser: { headers, token }, queuedRun: id }) => [
    { headers, params: { id }, body: { token }, status: 303 },
  ],
  retryRunByForm: ({ browser: { headers, token } }) => [
    { headers, params: { id: EXAMPLE_RUN }, body: { token }, status: 303 },
  ],
  pauseRunByForm: ({ browser: { headers, token }, openScopeRun: id }) => [
    { headers, params: { id }, body: { token }, status: 303 },
  ],
  resumeRunByForm: ({ browser: { headers, token }, openScopeRun: id }) => [
    { headers, params: { id }, body: { token }, status: 303 },
  ],
  showOwnPassword: ({ browser: { headers } }) => [{ headers, status: 200 }],
  changeOwnPassword: ({ browser: { headers, token } }) => {
    const fresh = 'tall-river-42';
    const body = { old_password: SAMPLE_USERS.owner.password, new_password: fresh, confirm_password: fresh, token };
    return [{ headers, body, status: 303 }];
  },
  showAdmin: ({ admin: { headers } }) => [{ headers, status: 200 }],
  showAdminList: ({ admin: { headers } }) => [
    { headers, params: { resource: 'users' }, query: { q: 'e', sort: '-username' }, status: 200 },
    { headers, params: { resource: 'audit' }, status: 200 },
  ],
  showAdminAdd: ({ admin: { headers } }) => [{ headers, params: { resource: 'users' }, status: 200 }],
  showAdminRow: ({ admin: { headers }, otherId }) => [
    { headers, params: { resource: 'users', id: String(otherId) }, status: 200 },
  ],
  addByAdminForm: ({ admin: { headers, token } }) => {
    const body = { username: 'new_reader', password: 'tall-river-42', token };
    return [{ headers, params: { resource: 'users' }, body, status: 303 }];
  },
  changeByAdminForm: ({ admin: { headers, token }, otherId }) => {
    const body = { first_name: 'Asha', is_active: 'on', token };
    return [{ headers, params: { resource: 'users', id: String(otherId) }, body, status: 303 }];
  },
  showAdminAction: ({ admin: { headers }, otherId }) => [
    { headers, params: { resource: 'users', id: String(otherId), action: 'disable' }, status: 200 },
  ],
  showAdminActions: ({ admin: { headers }, otherId }) => [
    { headers, params: { resource: 'users' }, query: { action: 'disable', [`row:${otherId}`]: 'on' }, status: 200 },
  ],
  actByAdminForm: ({ admin: { headers, token }, otherId }) => {
    const params = { resource: 'users', id: String(otherId), action: 'end-sessions' };
    return [{ headers, params, body: { token }, status: 303 }];
  },
  actOnChosenByAdminForm: ({ admin: { headers, token }, otherId }) => {
    const body = { token, action: 'refuse-computing', [`row:${otherId}`]: 'on' };
    return [{ headers, params: { resource: 'users' }, body, status: 200 }];
  },
  showAdminImport: ({ admin: { headers } }) => [{ headers, status: 200 }],
  importCheckedByAdminForm: ({ admin: { headers, token } }) => [
    { headers, body: { token, checked: 'x' }, status: 400 },
  ],
  signOut: ({ browser: { headers, token } }) => [{ headers, body: { token }, status: 303 }],
  refreshToken: ({ refreshToken }) => [{ body: { refresh: refreshToken }, status: 200 }],
  logout: ({ refreshToken }) => [{ body: { refresh_token: refreshToken }, status: 200 }],
  changePassword: () => {
    const fresh = 'tall-river-42';
    const body = { old_password: SAMPLE_USERS.owner.password, new_password: fresh, new_password_confirm: fresh };
    return [{ body, status: 200 }];
  },
  register: () => {
    const password = 'tall-river-42';
    const names = { username: 'new_reader', email: 'reader@example.org', organization: 'Ponds and Wells' };
    return [{ body: { ...names, password, password_confirm: password }, status: 201 }];
  },
  forgotPassword: () => [
    { body: { username: SAMPLE_USERS.owner.username }, status: 200, lastLine: /password_link_|could not send a mail/ },
  ],
  showPasswordForm: ({ link }) => [{ params: link, status: 200 }],
  setPasswordByLink: ({ link }) => {
    const body = { new_password: 'tall-river-42', confirm_password: 'tall-river-42' };
    return [{ params: link, body, status: 200 }];
  },
  changeOrganization: ({ organizationId: id }) => [{ params: { id }, body: { is_listed: false }, status: 200 }],
  removeOrganization: ({ organizationId: id }) => [{ params: { id }, status: 204 }],
  setOrganization: ({ organizationId, otherId, superuser }) => {
    const body = { organization_id: organizationId };
    return [{ headers: superuser, params: { id: String(otherId) }, body, status: 200 }];
  },
  changeUser: ({ ownerId }) => {
    const body = { email: 'asha@example.org', old_password: SAMPLE_USERS.owner.password };
    return [{ params: { id: String(ownerId) }, body, status: 200 }];
  },
  listUsers: ({ superuser }) => [{ headers: superuser, status: 200 }],
  listProjectUsers: ({ projectId }) => [{ params: { project_pk: String(projectId) }, status: 200 }],
  setProjectUser: ({ projectId, otherId }) => [
    { params: { project_pk: String(projectId) }, body: { user_id: otherId, group_id: 3 }, status: 201 },
  ],
  removeProjectUser: ({ projectId, memberId }) => [
    { params: { project_pk: String(projectId), id: String(memberId) }, status: 204 },
  ],
  changeApiKeys: ({ ownerId, keyText }) => [
    { body: { action: 'deactivate', user_id: ownerId, api_key: keyText }, status: 200 },
  ],
  deleteLayer: ({ superuser: headers }) => {
    const { workspace, name } = EXAMPLE_LAYERS.vector;
    return [{ headers, body: { workspace, layer_name: name }, status: 200 }];
  },
  activateLocation: () => [{ body: { location_type: 'block', location_id: 1, active: false }, status: 200 }],
  exportAssetByQuery: () => {
    const sides = { west: '85.0', south: '24.0', east: '85.02', north: '24.02' };
    return [{ query: { ...sides, year: '2021', wait: 'false' }, status: 202 }];
  },
  exportStatus: ({ unownedRun }) => [{ query: { task_id: unownedRun }, status: 200 }],
  getJob: ({ jobId: id }) => [{ params: { id }, status: 200 }],
  postJobResult: ({ jobId: id }) => [{ params: { id }, body: { ok: false, error: 'the task failed' }, status: 200 }],
  getRegion: ({ region: id }) => [{ params: { id }, status: 200 }],
  removeRegion: ({ region: id }) => [{ params: { id }, status: 204 }],
  cancelRun: ({ queuedRun: id }) => [{ params: { id }, status: 200 }],
  getRunTehsils: ({ scopeRun: id }) => [{ params: { id }, status: 200 }],
  pauseRun: ({ openScopeRun: id }) => [{ params: { id }, status: 200 }],
  resumeRun: ({ openScopeRun: id }) => [{ params: { id }, status: 200 }],
  retryRun: ({ scopeRun: id }) => [{ params: { id }, status: 202 }],
};

/** Operations that make no store call in the sample service, or always fail there. */
export const WITHOUT_STORE: ReadonlySet<string> = new Set([
  'runWorkflow',
  'workflowStatus',
  'getDocsFile',
  'getGuide',
  'getGuideFile',
  'getGuidePage',
  'getGuideChunk',
  'getMapFile',
  'getMapServerReadiness',
  'getOgcFeatures',
  'getOgcFeaturesConformance',
  'getTilesLandingPage',
  'getTilesConformance',
  'getTileMatrixSets',
  'getTileMatrixSet',
  'getTilesCollection',
  'getMapTileSets',
  'getMapTileSet',
  'getMapTile',
  'fetchEarthEngineLayer',
  'getSwagger',
  'getRedoc',
]);

/** Requests for every operation: successful examples, and requests of `OWN`. */
export function rowRequests(facts: WorldFacts): readonly RowRequest[] {
  return buildOperations(SAMPLE_PIPELINES).flatMap((row) => {
    const successful = row.examples.filter(({ name, status }) => status < 300 && !isWaiting(row, name));
    const own: readonly Named[] = (OWN[row.id]?.(facts) ?? []).map((each, at) => ({ name: `own ${at + 1}`, ...each }));
    return [...successful, ...own].map((example: Named) => requestOf(row, example, facts));
  });
}

/** Requests that wait for a worker. */
export function waitingRequests(facts: WorldFacts): readonly RowRequest[] {
  return buildOperations(SAMPLE_PIPELINES).flatMap((row) => {
    const waiting = row.examples.filter(({ name }) => isWaiting(row, name));
    return waiting.map((example) => requestOf(row, example, facts));
  });
}

function requestOf(row: Operation, example: Named, facts: WorldFacts): RowRequest {
  return {
    row,
    name: example.name,
    path: exampleUrl(row, example),
    init: exampleInit(row, example, { ...credentials(row, facts), ...example.headers }),
    status: example.status,
    ...(example.lastLine !== undefined && { lastLine: example.lastLine }),
  };
}

/** A request that uploads a file. It is built here, because examples cannot have multipart bodies. */
export function uploadRequest(row: Operation, { superuser }: WorldFacts): RowRequest {
  const body = new FormData();
  body.append('file', new Blob([SERIES]), `deltaG_fortnight_${EXAMPLE_NAMES.district}_${EXAMPLE_NAMES.tehsil}.geojson`);
  const init = { method: 'POST', headers: superuser, body };
  return { row, name: 'a file of series', path: '/api/v1/import/series/', init, status: 200 };
}

/** A request that uploads a KML file. */
export function kmlRequest(row: Operation, { superuser }: WorldFacts): RowRequest {
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...EXAMPLE_NAMES, kind: 'mws' })) body.append(name, value);
  body.append('file', new Blob([KML]), 'in.kml');
  const init = { method: 'POST', headers: superuser, body };
  return { row, name: 'a file of micro-watersheds', path: row.path, init, status: 201, isSlow: true };
}

/** A request that checks a file with the form of the admin pages. */
export function adminUploadRequest(row: Operation, { admin: { headers, token } }: WorldFacts): RowRequest {
  const body = new FormData();
  for (const [name, value] of Object.entries({ token, kind: 'series', dry_run: 'on' })) body.append(name, value);
  body.append('file', new Blob([SERIES]), `deltaG_fortnight_${EXAMPLE_NAMES.district}_${EXAMPLE_NAMES.tehsil}.geojson`);
  return { row, name: 'a check of series', path: row.path, init: { method: 'POST', headers, body }, status: 200 };
}

function isWaiting({ id }: Operation, name: string): boolean {
  return name === 'wait' || (id === 'exportAssetByQuery' && name === 'sides');
}

function credentials({ auth }: Operation, facts: WorldFacts): Readonly<Record<string, string>> {
  if (auth === 'public' || auth === 'session') return {};
  if (auth === 'superuser') return facts.superuser;
  return auth === 'apiKey' ? facts.apiKey : facts.bearer;
}
