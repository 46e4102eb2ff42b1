const PAGE = 'the first page is served without the database too, and reports that it is unavailable';
const MAIL = 'the link is mailed after the response; if that fails, it is logged and the user requests another link';
const IMPORT_FAILED = 'the import run is stored as failed with its reason, and nothing is published';

/**
 * Symptoms that are correct: a status other than 503 although a call rejected, or writes that stay after a 503.
 * Key: `row: call: symptom` or `row: symptom`. Value: the reason.
 */
export const ALLOWED: Readonly<Record<string, string>> = {
  'getFirstPage: responds although the call failed': PAGE,
  'getFirstPage: catalog.newest: returns 200': PAGE,
  'getFirstPage: catalog.publishedTehsils: returns 200': PAGE,
  'getFirstPage: places.states: returns 200': PAGE,
  'listComputations: responds although the call failed':
    'the commands have the names of the examples if those of this service cannot be read',
  'forgotPassword: users.byUsername: responds although the call failed': MAIL,
  'register: wrote only people.organizationNamed':
    'an organisation of a new name stays; the next request finds it by name',
  'generateStatsExcelFile: data.table: returns an aborted response':
    'a workbook is sent while it is read; an error in a later sheet aborts the transfer',
  'downloadExcelLayer: data.table: returns an aborted response':
    'a workbook is sent while it is read; an error in a later sheet aborts the transfer',
  'importFile: wrote only runs.enqueue': 'a run that was not claimed publishes nothing, and the next import joins it',
  'importFile: wrote only runs.enqueue, runs.claim': 'its lease expires, which ends the run',
  'importFile: runs.claim: then returns 409':
    'the lost run holds its lease until expiry, like the run of a process that died',
  'importFile: wrote only runs.enqueue, runs.claim, runs.fail': IMPORT_FAILED,
  'importFile: runs.publish: wrote only runs.enqueue, runs.claim, runs.publish, runs.fail':
    'the run has already ended, so its failure is not stored',
  'importFile: runs.publish: then returns 200': 'the second import of the file stores nothing and reports that',
};
