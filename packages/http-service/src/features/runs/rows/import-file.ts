import { DomainError, fieldError, type ImportReport } from '@headwater/core';
import { findImporter, isWhollyRefused } from '@headwater/core/imports';
import { createKeyedLimiter } from '@headwater/core/timing';
import { authenticate } from '@headwater/identity';
import { BEARER_ERRORS, BODY_ERRORS, ok } from '../../../rows/common.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json, type Reply } from '../../../seam/reply.ts';
import { partsBody } from '../../../seam/row-body.ts';
import { checked } from '../../../wire/checked.ts';
import { paths } from '../../../wire/paths.ts';
import { receiveUpload, type Upload } from '../handlers/receive-upload.ts';
import {
  ImportBody,
  ImportFields,
  ImportParams,
  importPlace,
  ImportQuery,
  importReportBody,
  ImportReportBody,
} from '../schemas/import.ts';

/** Maximum number of uploads in progress (received, waiting or being read). It limits the space that files need on the disk. */
const MAX_UPLOADS = 4;
/** Maximum number of files that are read at a time. Reading one file may need 2 GB of memory and a temporary file of 32 GB. */
const MAX_READERS = 2;
const RETRY_AFTER_SECONDS = 30;

/** Limits simultaneous uploads, which could fill memory and disk. */
interface UploadLimits {
  /** Receives an upload. Throws `unavailable` before reading it if there are too many uploads. */
  receive<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs the work that reads a received file, when one of the readers is free. Throws the signal's reason if the
   * client has disconnected.
   */
  read<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** Creates the limits of one service. */
function createUploadLimits(): UploadLimits {
  const uploads = createKeyedLimiter({ concurrency: MAX_UPLOADS, maxWaiting: 0, refuse: tooMany });
  const readers = createKeyedLimiter({ concurrency: MAX_READERS, maxWaiting: MAX_UPLOADS, refuse: tooMany });
  return {
    receive: (work) => uploads.run('', work),
    read: (work, signal) =>
      readers.run('', async () => {
        signal.throwIfAborted();
        return await work();
      }),
  };
}

const tooMany = (): DomainError =>
  new DomainError(
    'unavailable',
    `${MAX_UPLOADS} files are being imported, which is the limit; send this file again in ${RETRY_AFTER_SECONDS} s.`,
    { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } },
  );

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

const GIGABYTE = 1_000_000_000;
/** Maximum number of parts: the file and the fields. */
const MAX_PARTS = 9;
/** Maximum length of a field, bytes: enough for options of a layer with 20,000 characters of description and 256 classes. */
const FIELD_BYTES = 200_000;

/** Operation that imports an uploaded file of at most `importBytes` bytes. */
export function importOperations(importBytes = GIGABYTE): readonly Operation[] {
  const limits = createUploadLimits();
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
      body: { ...partsBody({ total: importBytes, parts: MAX_PARTS, field: FIELD_BYTES }), documented: ImportBody },
      responses: { 200: ok('Stored and skipped rows', ImportReportBody) },
      errors: [...BEARER_ERRORS, ...BODY_ERRORS, 'forbidden', 'unavailable', 'storage_full'],
      examples: [{ name: 'no multipart form', params: { kind: 'mws' }, status: 415 }],
      async handler({ principal, headers, params, query, body, signal }, { imports, auth }) {
        if (!principal.user.isSuperuser)
          throw new DomainError('forbidden', 'Only superusers may import data; ask one of them.');
        if (imports === undefined)
          throw new DomainError(
            'unavailable',
            'This service accepts no uploads; import the file on the machine of the service with `headwater import`.',
          );
        const { importers, scratchDir } = imports;
        const find = (fileName: string) => findImporter(importers, params.kind, fileName);
        const use = async ({ fields, fileName, path }: Upload): Promise<Reply> => {
          const sentFields = checked(ImportFields, fields);
          const place = importPlace(sentFields);
          const isTrial = query.dry_run === true || sentFields.dry_run === true;
          const { options } = sentFields;
          const optional = { ...(place && { place }), ...(options !== undefined && { options }) };
          const importRequest = { path, fileName, isTrial, signal, ownerId: principal.user.id, ...optional };
          const report = await limits.read(async () => {
            // The session is checked again, because it may have ended during the upload and the waiting.
            await authenticate('superuser', headers, auth);
            return await find(fileName).run(importRequest);
          }, signal);
          const reportBody = importReportBody(report, isTrial);
          if (isWhollyRefused(report)) throw whollyRefused(report, reportBody);
          return json(200, reportBody);
        };
        const checkName = (fileName: string): void => void find(fileName);
        return await limits.receive(() => receiveUpload(body, { scratchDir, signal, checkName, use }));
      },
    }),
  ];
}
