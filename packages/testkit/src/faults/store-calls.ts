import type { Stores } from '@headwater/identity';

/**
 * Kind of a store method: `read`, `write` or `upkeep`. Upkeep counts or cleans up: no response depends on it, and it may
 * take effect without the writes next to it.
 */
export type CallKind = 'read' | 'write' | 'upkeep';

/** Names of the stores with methods that reach the database; `ping` is such a call too. */
export type CalledStore = Exclude<keyof Stores, 'changes' | 'ping' | 'close'>;

type Kinds = { readonly [S in CalledStore]: Readonly<Record<keyof Stores[S], CallKind>> };

/** Kind of every method of every store. The type requires an entry for each new method. */
export const CALL_KINDS: Kinds = {
  users: {
    create: 'write',
    byId: 'read',
    byUsername: 'read',
    ofSession: 'read',
    setPassword: 'write',
    replacePassword: 'write',
    setActive: 'write',
    count: 'read',
    firstSuperuser: 'read',
  },
  people: {
    organizations: 'read',
    organization: 'read',
    organizationNamed: 'write',
    listOrganization: 'write',
    removeOrganization: 'write',
    person: 'read',
    people: 'read',
    change: 'write',
  },
  teams: {
    joinGroup: 'write',
    leaveGroup: 'write',
    createProject: 'write',
    projects: 'read',
    project: 'read',
    members: 'read',
    setMember: 'write',
    removeMember: 'write',
  },
  eoAccounts: { create: 'write', change: 'write', byId: 'read', list: 'read' },
  refreshTokens: { add: 'write', spend: 'write', revokeFamily: 'write', deleteExpired: 'upkeep' },
  throttle: { failures: 'read', fail: 'upkeep', clear: 'upkeep', know: 'upkeep', knows: 'read' },
  apiKeys: {
    create: 'write',
    find: 'read',
    activeOf: 'read',
    deactivate: 'write',
    daysOf: 'read',
    usesOn: 'read',
    noteUses: 'upkeep',
    removeOld: 'upkeep',
  },
  places: {
    states: 'read',
    districts: 'read',
    tehsils: 'read',
    tehsilUnits: 'read',
    findState: 'read',
    findDistrict: 'read',
    findTehsil: 'read',
    placeOfTehsil: 'read',
    namesakesOf: 'read',
    mwsOf: 'read',
    villagesOf: 'read',
    saveBundle: 'write',
    saveChanges: 'write',
    importedTehsils: 'read',
    removeTehsil: 'write',
    setActive: 'write',
    datasets: 'read',
    seedDatasets: 'write',
  },
  lookups: {
    tehsilNamed: 'read',
    namesOf: 'read',
    tehsilAt: 'read',
    mwsAt: 'read',
    mwsUids: 'read',
    mwsVersion: 'read',
    villagesVersion: 'read',
    mwsAfter: 'read',
    villagesAfter: 'read',
    villageIds: 'read',
    mwsAround: 'read',
    unitsBelow: 'read',
    unitsNamed: 'read',
    activeLocations: 'read',
  },
  runs: {
    enqueue: 'write',
    keyedRun: 'read',
    bindKey: 'write',
    resultOf: 'read',
    get: 'read',
    list: 'read',
    claim: 'write',
    queueState: 'read',
    heartbeat: 'upkeep',
    heartbeats: 'upkeep',
    progressOf: 'read',
    fail: 'write',
    release: 'write',
    park: 'write',
    publish: 'write',
    dispatch: 'write',
    complete: 'write',
    requestCancel: 'write',
    endAbandonedImports: 'upkeep',
    adoptAbandoned: 'upkeep',
    appendEvent: 'upkeep',
    events: 'read',
    liveAttempts: 'read',
    removeRegions: 'write',
    removeOld: 'upkeep',
  },
  jobs: { add: 'write', get: 'read', open: 'read', rename: 'write', finish: 'write' },
  catalog: {
    item: 'read',
    itemsOfRun: 'read',
    itemsOf: 'read',
    itemsWith: 'read',
    listOf: 'read',
    newest: 'read',
    collections: 'read',
    publishedTehsils: 'read',
    collection: 'read',
    layer: 'read',
    layerOfRun: 'read',
    layersOf: 'read',
    layersVersionOf: 'read',
  },
  search: {
    search: 'read',
    item: 'read',
    itemAt: 'read',
    properties: 'read',
    collections: 'read',
    pathOf: 'read',
    unwritten: 'read',
    write: 'upkeep',
  },
  data: {
    tablesOf: 'read',
    tableVersionsOf: 'read',
    tablesOfRun: 'read',
    tehsilsWithTables: 'read',
    hasData: 'read',
    tableHead: 'read',
    table: 'read',
    rowOf: 'read',
    rowsOf: 'read',
    seriesOf: 'read',
  },
  installation: { getOrCreate: 'write', withLock: 'read', agree: 'read' },
};

/** Kind of the call `store.method`; undefined if no store has this method. */
export function callKind(store: string, method: string): CallKind | undefined {
  if (store === 'ping') return 'read';
  const kinds: Readonly<Record<string, Readonly<Record<string, CallKind>>>> = CALL_KINDS;
  return kinds[store]?.[method];
}
