const PAGE = 'the first page is answered also without the database, and says that the database is away';
const MAIL = 'a link is mailed after the answer; if that fails, the log says so and the person asks again';
const IMPORT_FAILED = 'the run of the import is stored as failed, with its reason, and nothing is published';

/**
 * Symptoms that are right: answers other than 503 although a call rejected, and writes that stay although the answer is 503:
 * `row: call: symptom`, or `row: symptom`, -> the reason.
 */
export const ALLOWED: Readonly<Record<string, string>> = {
  'getFirstPage: is answered without it': PAGE,
  'getFirstPage: catalog.newest: is 200': PAGE,
  'forgotPassword: users.byUsername: is answered without it': MAIL,
  'register: wrote people.organizationNamed alone':
    'an organisation of a new name stays; the next request finds it by its name',
  'generateStatsExcelFile: data.table: is broken off':
    'a workbook is sent while it is read; later sheets end the transfer as broken',
  'downloadExcelLayer: data.table: is broken off':
    'a workbook is sent while it is read; later sheets end the transfer as broken',
  'importFile: wrote runs.enqueue alone': 'a run that was not claimed publishes nothing, and the next import joins it',
  'importFile: wrote runs.enqueue, runs.claim alone': 'its lease ends, and with it the run',
  'importFile: runs.claim: then is 409': 'the lost run has its lease until that ends, as that of a process that died',
  'importFile: wrote runs.enqueue, runs.claim, runs.fail alone': IMPORT_FAILED,
  'importFile: runs.publish: wrote runs.enqueue, runs.claim, runs.publish, runs.fail alone':
    'the run has ended by then, so that its failure is not stored',
  'importFile: runs.publish: then is 200': 'the file again stores nothing, and says so',
};
