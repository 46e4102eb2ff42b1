import { DomainError } from '@headwater/core';
import { findImporter } from '@headwater/core/imports';
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

/** Uploads that are received, wait or are read: so many files lie on the disk at most. */
const AT_HAND = 4;
/** Files that are read at a time: reading one may take a process of 2 GB, and a working file of 32 GB. */
const AT_WORK = 2;
const RETRY_AFTER_SECONDS = 30;

/** Takes turns among uploads that all at once would fill memory and disk. */
interface UploadTurns {
  /** Receives an upload. Throws `unavailable` before anything of it is read where too many are at hand. */
  receive<T>(work: () => Promise<T>): Promise<T>;
  /** Reads a file that was received, when its turn comes. Throws the signal's reason where nobody waits for it any more. */
  read<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** Turns of one service. */
function createUploadTurns(): UploadTurns {
  const places = createKeyedLimiter({ concurrency: AT_HAND, maxWaiting: 0, refuse: tooMany });
  const readers = createKeyedLimiter({ concurrency: AT_WORK, maxWaiting: AT_HAND, refuse: tooMany });
  return {
    receive: (work) => places.run('', work),
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
    `${AT_HAND} files are being imported, which is as many as are taken at once; send this one again in ${RETRY_AFTER_SECONDS} s.`,
    { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } },
  );

const GIGABYTE = 1_000_000_000;
/** The file and the fields beside it. */
const MOST_PARTS = 9;
/** The longest field tells of a layer: 20,000 characters of description and 256 classes. */
const FIELD_BYTES = 200_000;

/** The upload of a file for import, up to so many bytes. */
export function importOperations(importBytes = GIGABYTE): readonly Operation[] {
  const turns = createUploadTurns();
  return [
    operation({
      id: 'importFile',
      method: 'POST',
      path: paths.importFile,
      auth: 'bearer',
      tag: 'places',
      summary: 'Imports a file of boundaries or data; superusers only',
      description:
        'The file is the part `file` of a multipart form. Rows that are wrong are left out and listed in the answer; a file that is broken ' +
        'as a whole changes nothing, and the same file again stores nothing. `state`, `district` and `tehsil` name the tehsil where the ' +
        'file does not; the kind `layer` needs `options` too. Workbooks, series and layers are published as a run of the superuser who sends ' +
        'them. Four uploads are taken at once, of which two are read at a time: beyond that the answer is 503 with Retry-After. ' +
        'The command `headwater import` does the same on the machine of the service.',
      params: ImportParams,
      query: ImportQuery,
      body: { ...partsBody({ total: importBytes, parts: MOST_PARTS, field: FIELD_BYTES }), documented: ImportBody },
      responses: { 200: ok('What was stored, and what was left out', ImportReportBody) },
      errors: [...BEARER_ERRORS, ...BODY_ERRORS, 'forbidden', 'unavailable', 'storage_full'],
      examples: [{ name: 'no multipart form', params: { kind: 'mws' }, status: 415 }],
      async handler({ principal, headers, params, query, body, signal }, { imports, auth }) {
        if (!principal.user.isSuperuser)
          throw new DomainError('forbidden', 'Only superusers may import data; ask one of them.');
        if (imports === undefined)
          throw new DomainError(
            'unavailable',
            'This service takes no uploads; import the file where the service runs.',
          );
        const { importers, scratchDir } = imports;
        const find = (fileName: string) => findImporter(importers, params.kind, fileName);
        const use = async ({ fields, fileName, path }: Upload): Promise<Reply> => {
          const given = checked(ImportFields, fields);
          const place = importPlace(given);
          const isTrial = query.dry_run === true || given.dry_run === true;
          const { options } = given;
          const told = { ...(place && { place }), ...(options !== undefined && { options }) };
          const job = { path, fileName, isTrial, signal, ownerId: principal.user.id, ...told };
          const report = await turns.read(async () => {
            // The file came slowly, and waited for its turn: the session may have ended meanwhile.
            await authenticate('superuser', headers, auth);
            return await find(fileName).run(job);
          }, signal);
          return json(200, importReportBody(report, isTrial));
        };
        const checkName = (fileName: string): void => void find(fileName);
        return await turns.receive(() => receiveUpload(body, { scratchDir, signal, checkName, use }));
      },
    }),
  ];
}
