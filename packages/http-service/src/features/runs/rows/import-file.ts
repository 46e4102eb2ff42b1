import { DomainError, fieldError, type ImportReport } from '@headwater/core';
import { isWhollyRefused } from '@headwater/core/imports';
import { authenticateRequest } from '@headwater/identity';
import type { z } from 'zod';
import { BEARER_ERRORS, BODY_ERRORS, ok } from '../../../rows/common.ts';
import { operation, type Operation, type OperationInput, urlOf } from '../../../rows/operation.ts';
import type { Ports } from '../../../deps.ts';
import { json } from '../../../seam/reply.ts';
import { type Part, partsBody } from '../../../seam/row-body.ts';
import type { Upload } from '../../../seam/uploads.ts';
import { badMember } from '../../../wire/request-error.ts';
import { sentences } from '../../../wire/sentences.ts';
import { paths } from '../../../wire/paths.ts';
import { type ImportCall, importUpload, type Uploads } from '../handlers/import-upload.ts';
import {
  ImportBody,
  ImportParams,
  ImportQuery,
  importReportBody,
  ImportReportBody,
  KmlBody,
  KmlReportBody,
} from '../schemas/import.ts';

/**
 * The error if all rows were refused. The message has only the first problem, because usually all rows have that
 * problem.
 */
function whollyRefused({ refusedCount, refused: [first] }: ImportReport, report: object): DomainError {
  const all =
    refusedCount === 1
      ? 'The only row or feature of the file was'
      : `All ${refusedCount} rows or features of the file were`;
  const problemText = [first?.field, first?.problem].filter(Boolean).join(' ');
  const where = first === undefined ? '' : ` Row ${first.row} of ${first.source}: ${problemText}`;
  const problem = {
    rule: 'invalid',
    message: `${all} refused, so nothing is stored; the list named refused has the reasons.${where}`,
  } as const;
  return fieldError('validation', { file: [problem] }, { details: { ...report } });
}

type UploadInput = Pick<
  OperationInput<'bearer', unknown, unknown, unknown>,
  'principal' | 'headers' | 'method' | 'path' | 'queryText' | 'signal'
>;

/**
 * Imports or checks an uploaded file and returns the report. Throws `validation` with the report if all rows were
 * refused.
 */
async function uploadedReport(
  { principal, headers, method, path, queryText, signal }: UploadInput,
  { imports, auth }: Ports<'imports' | 'auth'>,
  {
    parts,
    ...call
  }: Pick<ImportCall, 'uploads' | 'endings' | 'kindOf' | 'fieldsOf' | 'isTrial'> & {
    readonly parts: AsyncIterable<Part>;
  },
): Promise<z.output<typeof ImportReportBody>> {
  if (!principal.user.isSuperuser)
    throw new DomainError('forbidden', 'Only superusers may import data; ask one of them.');
  if (imports === undefined)
    throw new DomainError(
      'unavailable',
      'This service accepts no uploads; import the file on the machine of the service with `headwater import`.',
    );
  const { report, isTrial } = await importUpload(parts, {
    ...call,
    imports,
    signal,
    ownerId: principal.user.id,
    // The session may have ended during the upload.
    recheck: async () =>
      void (await authenticateRequest('superuser', { headers, method, url: urlOf({ path, queryText }) }, auth)),
  });
  const body = importReportBody(report, isTrial);
  if (isWhollyRefused(report)) throw whollyRefused(report, body);
  return body;
}

const KML_KINDS = ['places', 'mws', 'villages', 'layer'] as const;

function kmlKind({ kind }: Upload['fields']): string {
  if (KML_KINDS.some((each) => each === kind)) return String(kind);
  throw badMember('kind', sentences.kmlKind);
}

function uploadKml(uploads: Uploads): Operation {
  return operation({
    id: 'uploadKml',
    method: 'POST',
    path: paths.uploadKml,
    auth: 'bearer',
    tag: 'operators',
    errorFormat: 'compute',
    summary: 'Imports boundaries or a layer of a tehsil from a KML or KMZ file; superusers only',
    description:
      `The same import as POST ${paths.importFile}, with the kind in the field "kind", which must come before the part "file". ` +
      'A layer also needs `options`. The response has the report of the import. The import reads nothing outside of the file, and refuses files with a document type or a NetworkLink.',
    body: { ...partsBody(uploads.sizes), documented: KmlBody },
    responses: { 201: ok('Stored and skipped placemarks', KmlReportBody) },
    errors: [...BEARER_ERRORS, ...BODY_ERRORS, 'forbidden', 'not_found', 'conflict', 'unavailable', 'storage_full'],
    examples: [{ name: 'no multipart form', status: 415 }],
    async handler(input, deps) {
      const report = await uploadedReport(input, deps, {
        uploads,
        parts: input.body,
        endings: ['.kml', '.kmz'],
        kindOf: kmlKind,
        fieldsOf: ({ kind: _kind, ...fields }) => fields,
        isTrial: false,
      });
      return json(201, { Success: sentences.uploaded(report.dry_run), ...report });
    },
  });
}

/** Operations that import an uploaded file. */
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
      async handler(input, deps) {
        const { params, query, body } = input;
        const uploaded = await uploadedReport(input, deps, {
          uploads,
          parts: body,
          kindOf: () => params.kind,
          fieldsOf: (fields) => fields,
          isTrial: query.dry_run === true,
        });
        return json(200, uploaded);
      },
    }),
    uploadKml(uploads),
  ];
}
