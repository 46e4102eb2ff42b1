const PAGE = 'the first page is served without the database too, and reports that the database is unavailable';
const METRICS =
  'the metrics of the process are sent without the database too, and report that the database is unavailable';
const MAIL = 'the link is mailed after the response; if that fails, it is logged and the user requests another link';
const ORGANIZATION_STAYS =
  'an organisation that registration created is kept after the failure; the next request finds it by its name';
const SIGNS_IN_LATER = 'the account exists, and its user signs in on the sign-in page';
const IMPORT_FAILED = 'the import run is stored as failed with its reason, and nothing is published';
const ADMIN_COUNT = 'the index of the admin shows no count if it cannot be read';
const DONE = 'the change is stored; a failed read or log entry after the change does not undo it';
const UNPUBLISHED = 'the layer is unpublished, so the same request finds none';
const EACH_ROW = 'the page lists the result of each row, failures too';

/**
 * Reasons why symptoms that look like faults are correct. Key: `operation: call: symptom` or `operation: symptom`.
 * `call`: the store call that failed; `then`: the same request, repeated without a fault.
 */
export const ALLOWED: Readonly<Record<string, string>> = {
  'getFirstPage: responds although the call failed': PAGE,
  'getFirstPage: catalog.newest: returns 200': PAGE,
  'getFirstPage: catalog.publishedTehsils: returns 200': PAGE,
  'getFirstPage: places.states: returns 200': PAGE,
  'listComputations: responds although the call failed':
    'if the place names of this service cannot be read, the commands on the page contain the names of the built-in examples',
  'getMetrics: operatorLists.runCounts: responds although the call failed': METRICS,
  'getMetrics: installation.read: responds although the call failed': METRICS,
  'getHealth: then returns 503': 'the health report is cached for some seconds',
  'forgotPassword: users.byUsername: responds although the call failed': MAIL,
  'register: wrote only people.organizationNamed': ORGANIZATION_STAYS,
  'registerByForm: wrote only people.organizationNamed': ORGANIZATION_STAYS,
  'registerByForm: wrote only people.organizationNamed, users.create': SIGNS_IN_LATER,
  'registerByForm: then returns 400': SIGNS_IN_LATER,
  'registerByForm: responds although the call failed': SIGNS_IN_LATER,
  'sendLinkByForm: users.byUsername: responds although the call failed': MAIL,
  'showAdmin: users.count: returns 200': ADMIN_COUNT,
  'showAdmin: users.count: responds although the call failed': ADMIN_COUNT,
  'showAdmin: lookups.listUnits: returns 200': ADMIN_COUNT,
  'showAdmin: lookups.listUnits: responds although the call failed': ADMIN_COUNT,
  'showAdmin: catalog.listRegions: returns 200': ADMIN_COUNT,
  'showAdmin: catalog.listRegions: responds although the call failed': ADMIN_COUNT,
  ...countsOfAdmin('users.count', 'directory.keys', 'directory.sessions', 'directory.organizations'),
  ...countsOfAdmin('directory.requests', 'directory.projects', 'eoAccounts.list', 'places.datasets'),
  'addByAdminForm: wrote only users.create': DONE,
  'addByAdminForm: then returns 409': DONE,
  'addByAdminForm: responds although the call failed': DONE,
  'changeByAdminForm: wrote only people.change': DONE,
  'changeByAdminForm: responds although the call failed': DONE,
  'actByAdminForm: wrote only users.endSessions': DONE,
  'actByAdminForm: responds although the call failed': DONE,
  'actOnChosenByAdminForm: wrote only people.change': DONE,
  'actOnChosenByAdminForm: returns 200': EACH_ROW,
  'actOnChosenByAdminForm: then returns 200': EACH_ROW,
  'actOnChosenByAdminForm: responds although the call failed': EACH_ROW,
  'deleteLayer: wrote only runs.unpublish': DONE,
  'deleteLayer: then returns 404': UNPUBLISHED,
  'deleteLayer: audit.append: responds although the call failed': DONE,
  'generateStatsExcelFile: data.table: returns an aborted response':
    'a workbook is sent while it is read; an error in a later sheet aborts the transfer',
  'downloadExcelLayer: data.table: returns an aborted response':
    'a workbook is sent while it is read; an error in a later sheet aborts the transfer',
  'importFile: wrote only runs.enqueue': 'a run that was not claimed publishes nothing, and the next import joins it',
  'importFile: wrote only runs.enqueue, runs.claim': 'the lease of the claimed run expires, which ends the run',
  'importFile: runs.claim: then returns 409':
    'the lost run holds its lease until expiry, like the run of a process that died',
  'importFile: wrote only runs.enqueue, runs.claim, runs.fail': IMPORT_FAILED,
  'importFile: runs.publish: wrote only runs.enqueue, runs.claim, runs.publish, runs.fail':
    'the run was published before the fault, so `runs.fail` changes nothing',
  'importFile: runs.publish: then returns 200': 'the second import of the file stores nothing and reports that',
};

function countsOfAdmin(...calls: readonly string[]): Readonly<Record<string, string>> {
  const symptoms = ['returns 200', 'responds although the call failed'];
  return Object.fromEntries(
    calls.flatMap((call) => symptoms.map((symptom) => [`showAdmin: ${call}: ${symptom}`, ADMIN_COUNT])),
  );
}
