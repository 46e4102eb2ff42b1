import { DomainError, type Importer, type ImportReport, invalidField } from '@headwater/core';
import { findImporter, isWhollyRefused } from '@headwater/core/imports';
import { createKeyedLimiter } from '@headwater/core/timing';
import type { ServiceDeps } from '../../../deps.ts';
import type { Part, PartLimits } from '../../../seam/row-body.ts';
import { checked } from '../../../wire/checked.ts';
import { ImportFields, importPlace } from '../schemas/import.ts';
import type { Upload } from '../../../seam/uploads.ts';
import { receiveUpload } from './receive-upload.ts';

/** Default maximum size of a body, bytes. */
export const IMPORT_BYTES = 1_000_000_000;
const MAX_PARTS = 9;
/** Maximum length of a field. Enough for a long description and 256 classes. */
const FIELD_BYTES = 200_000;

/** Maximum number of uploads in progress, which need space on the disk. */
const MAX_UPLOADS = 4;
/** Maximum number of files that are read at a time. A file may need 2 GB of memory. */
const MAX_READERS = 2;
const RETRY_AFTER_SECONDS = 30;

/** Limits of all uploads. Without limits, uploads could fill memory and disk. */
export interface Uploads {
  readonly sizes: Partial<PartLimits>;
  /** Receives an upload. Throws `unavailable` if there are too many uploads. */
  receive<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs work that reads a file, at most `MAX_READERS` at a time. Throws the signal's reason if the client has
   * disconnected.
   */
  read<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** Creates the limits of one service; a body has at most `importBytes` bytes. */
export function createUploads(importBytes = IMPORT_BYTES): Uploads {
  const uploads = createKeyedLimiter({ concurrency: MAX_UPLOADS, maxWaiting: 0, refuse: tooMany(MAX_UPLOADS) });
  const readers = createKeyedLimiter({
    concurrency: MAX_READERS,
    maxWaiting: MAX_UPLOADS,
    refuse: tooMany(MAX_READERS + MAX_UPLOADS),
  });
  return {
    sizes: { total: importBytes, parts: MAX_PARTS, field: FIELD_BYTES },
    receive: (work) => uploads.run('', work),
    read: (work, signal) =>
      readers.run('', async () => {
        signal.throwIfAborted();
        return await work();
      }),
  };
}

const tooMany = (files: number) => (): DomainError =>
  new DomainError(
    'unavailable',
    `${files} files are being sent, checked or imported, or wait for this, which is the limit; send this file again in ${RETRY_AFTER_SECONDS} s.`,
    { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } },
  );

/** A file to import, and the rules of its operation. */
export interface ImportCall {
  readonly uploads: Uploads;
  readonly imports: NonNullable<ServiceDeps['imports']>;
  readonly signal: AbortSignal;
  /** Superuser who sends the file and will own its data. */
  readonly ownerId: number;
  /** Accepted endings of file names, in lower case. Default: the importer's endings. */
  readonly endings?: readonly string[];
  /** Returns the kind of the file from the fields that precede it. Throws to refuse the file. */
  readonly kindOf: (fields: Upload['fields']) => string;
  readonly fieldsOf: (fields: Upload['fields']) => Upload['fields'];
  /** True: the file is only checked. */
  readonly isTrial?: boolean;
  readonly recheck: () => Promise<void>;
  readonly started?: () => void;
  /** Moves a file that was only checked, so that it can be imported later. Not called if all rows were refused. */
  readonly keep?: ((upload: Upload) => Promise<void>) | undefined;
}

/** Result of an import. */
export interface ImportOutcome {
  readonly report: ImportReport;
  readonly isTrial: boolean;
}

/** Receives a multipart body, and imports or checks its file. */
export async function importUpload(parts: AsyncIterable<Part>, call: ImportCall): Promise<ImportOutcome> {
  const { uploads, imports, signal, kindOf, keep, endings = [] } = call;
  const { importers, scratchDir } = imports;
  const checkName = (fileName: string, fields: Upload['fields']): void => {
    const isRead = endings.length === 0 || endings.some((ending) => fileName.toLowerCase().endsWith(ending));
    if (!isRead) throw invalidField('file', `Send a file that ends in ${endings.join(' or ')}.`);
    findImporter(importers, kindOf(fields), fileName);
  };
  const use = async (upload: Upload): Promise<ImportOutcome> => {
    const outcome = await importFile(upload, call);
    if (outcome.isTrial && !isWhollyRefused(outcome.report)) await keep?.(upload);
    return outcome;
  };
  return await uploads.receive(() => receiveUpload(parts, { scratchDir, signal, checkName, use }));
}

/** Imports or checks a file that is on the disk. Waits while too many files are being read. */
export async function importFile(
  { fields, fileName, path }: Upload,
  call: Omit<ImportCall, 'keep'>,
): Promise<ImportOutcome> {
  const { uploads, imports, signal, ownerId, kindOf, fieldsOf, recheck, started } = call;
  const importer: Importer = findImporter(imports.importers, kindOf(fields), fileName);
  const { options, dry_run: isDry, ...sent } = checked(ImportFields, fieldsOf(fields));
  const isTrial = call.isTrial === true || isDry === true;
  const place = importPlace(sent);
  const optional = { ...(place && { place }), ...(options !== undefined && { options }) };
  const report = await uploads.read(async () => {
    await recheck();
    started?.();
    return await importer.run({ path, fileName, isTrial, signal, ownerId, ...optional });
  }, signal);
  return { report, isTrial };
}
