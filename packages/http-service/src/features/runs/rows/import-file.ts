import { DomainError, fieldError, type ImportReport } from '@headwater/core';
import { isWhollyRefused } from '@headwater/core/imports';
import { authenticateRequest } from '@headwater/identity';
import { BEARER_ERRORS, BODY_ERRORS, ok } from '../../../rows/common.ts';
import { operation, type Operation, urlOf } from '../../../rows/operation.ts';
import { json } from '../../../seam/reply.ts';
import { partsBody } from '../../../seam/row-body.ts';
import { paths } from '../../../wire/paths.ts';
import { importUpload, type Uploads } from '../handlers/import-upload.ts';
import { ImportBody, ImportParams, ImportQuery, importReportBody, ImportReportBody } from '../schemas/import.ts';

/**
 * The error for a file whose rows were all refused, with the members of the report. The message has the first
 * problem, because often all rows have the same problem.
 */
function whollyRefused({ refusedCount, refused: [first] }: ImportReport, report: object): DomainError {
  const all = refusedCount === 1 ? 'Its only row or feature was' : `All ${refusedCount} rows or features were`;
  const where =
    first === undefined ? '' : ` Row ${first.row} of ${first.source}: ${first.field ?? ''} ${first.problem}`;
  const problem = { rule: 'invalid', message: `${all} refused, nothing is stored; see refused.${where}` } as const;
  return fieldError('validation', { file: [problem] }, { details: { ...report } });
}

/** Operation that imports an uploaded file. */
export function importOperations(uploads: Uploads): readonly Operation[] {
  return [
    operation({
      id: 'importFile',
      method: 'POST',
      path: paths.importFile,
      auth: 'bearer',
      tag: 'places',
      summary: 'Imports a file of boundaries or data; superusers only',
      description:
        'The file is the part `file` of a multipart form. Wrong rows are skipped and listed in the response; if all are wrong, the response is 400 ' +
        'with the same list. An unreadable file changes nothing. A file that was already imported changes nothing if it is sent again. `state`, `district` and `tehsil` name the tehsil if the ' +
        'file does not; the kind `layer` also needs `options`. Workbooks, series and layers are published as a run of the superuser who sends ' +
        'them. At most four uploads are accepted at a time, and two of them are read at a time; a further upload gets 503 with Retry-After. ' +
        'The command `headwater import` does the same on the machine of the service.',
      params: ImportParams,
      query: ImportQuery,
      body: { ...partsBody(uploads.sizes), documented: ImportBody },
      responses: { 200: ok('Stored and skipped rows', ImportReportBody) },
      errors: [...BEARER_ERRORS, ...BODY_ERRORS, 'forbidden', 'unavailable', 'storage_full'],
      examples: [{ name: 'no multipart form', params: { kind: 'mws' }, status: 415 }],
      async handler({ principal, headers, method, path, queryText, params, query, body, signal }, { imports, auth }) {
        if (!principal.user.isSuperuser)
          throw new DomainError('forbidden', 'Only superusers may import data; ask one of them.');
        if (imports === undefined)
          throw new DomainError(
            'unavailable',
            'This service accepts no uploads; import the file on the machine of the service with `headwater import`.',
          );
        const { report, isTrial } = await importUpload(body, {
          uploads,
          imports,
          signal,
          ownerId: principal.user.id,
          kindOf: () => params.kind,
          fieldsOf: (fields) => fields,
          isTrial: query.dry_run === true,
          // The session is checked again, because it may have ended during the upload and the waiting.
          recheck: async () =>
            void (await authenticateRequest('superuser', { headers, method, url: urlOf({ path, queryText }) }, auth)),
        });
        const reportBody = importReportBody(report, isTrial);
        if (isWhollyRefused(report)) throw whollyRefused(report, reportBody);
        return json(200, reportBody);
      },
    }),
  ];
}
