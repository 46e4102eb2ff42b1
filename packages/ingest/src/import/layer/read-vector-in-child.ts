import { stat } from 'node:fs/promises';
import { ImportNotes } from '../shared/import-notes.ts';
import { workerUrl } from '@headwater/net/files';
import { runInChild } from '../child-process/run-in-child.ts';
import type { Progress } from '../child-process/report-to-parent.ts';
import { throwIfStopped, type ImportRequest } from '../shared/import-deps.ts';
import { readVector, type ReadVector } from './read-vector.ts';

/**
 * Largest file, in bytes, that is read in the thread of the server. Reading such a small file blocks this thread only
 * shortly, and takes less time than the start of a process.
 */
const SMALL_BYTES = 1024 ** 2;

/** A file of a vector layer to read. */
export interface VectorRequest extends Pick<ImportRequest, 'path' | 'fileName'> {
  /** Notes about the file that were made before it is read. */
  readonly before: ImportNotes['report'];
}

/** A vector layer, and the notes about its file for the report. */
export interface NotedVector {
  /** The layer; undefined if every feature was refused. */
  readonly vector: ReadVector | undefined;
  readonly notes: ImportNotes['report'];
}

/**
 * Reads a layer as `readVector` does. A large file is read in a child process, because checking its rings would block the server for a
 * minute. Throws the errors of `readVector` and `runInChild`.
 */
export async function readVectorInChild(request: ImportRequest, before: ImportNotes['report']): Promise<NotedVector> {
  const { path, fileName, signal, progress } = request;
  const vector: VectorRequest = { path, fileName, before };
  // A small KMZ may unpack to a large document, so a KMZ is always read in a child process.
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
