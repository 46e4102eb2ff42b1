import { stat } from 'node:fs/promises';
import { ImportNotes } from '../shared/import-notes.ts';
import { workerUrl } from '@headwater/net/files';
import { runInChild } from '../child-process/run-in-child.ts';
import type { Progress } from '../child-process/report-to-parent.ts';
import { throwIfStopped, type ImportRequest } from '../shared/import-deps.ts';
import { readVector, type ReadVector } from './read-vector.ts';

/** Largest file that is read in the server's thread, bytes. For smaller files, starting a process would take longer. */
const SMALL_BYTES = 1024 ** 2;

/** File of a vector layer. */
export interface VectorRequest extends Pick<ImportRequest, 'path' | 'fileName'> {
  /** Earlier notes on the file. */
  readonly before: ImportNotes['report'];
}

/** Vector layer, and notes on its file. */
export interface NotedVector {
  /** Undefined if every feature was refused. */
  readonly vector: ReadVector | undefined;
  readonly notes: ImportNotes['report'];
}

/**
 * Same as `readVector`; large files are read in a child process, because checking their rings could block the server
 * for a minute. Throws the errors of `readVector` and `runInChild`.
 */
export async function readVectorInChild(request: ImportRequest, before: ImportNotes['report']): Promise<NotedVector> {
  const { path, fileName, signal, progress } = request;
  const vector: VectorRequest = { path, fileName, before };
  // A small KMZ may contain a large document, so a KMZ is always read in the child process.
  const isSmall = !/\.kmz$/i.test(fileName) && (await stat(path)).size <= SMALL_BYTES;
  if (isSmall) return await readWhole(vector, progress, signal);
  const worker = workerUrl('./vector-worker', import.meta.url, '@headwater/ingest');
  const callbacks = progress === undefined ? {} : { progress };
  try {
    return await runInChild<NotedVector>({ worker, data: vector, fileName, signal, ...callbacks });
  } catch (error) {
    throwIfStopped(request);
    throw error;
  }
}

/** Reads a file in this thread. */
export async function readWhole(
  { path, fileName, before }: VectorRequest,
  progress: Progress | ImportRequest['progress'] = () => {},
  signal: AbortSignal = new AbortController().signal,
): Promise<NotedVector> {
  const notes = new ImportNotes(before);
  const report = (done: number, total = 0): void => progress(done, total);
  const vector = await readVector({ path, fileName, signal, progress: report }, notes);
  return { vector, notes: notes.report };
}
