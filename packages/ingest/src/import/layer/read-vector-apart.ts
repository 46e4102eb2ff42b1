import { stat } from 'node:fs/promises';
import { ImportNotes } from '../shared/import-notes.ts';
import { workerUrl } from '@headwater/net/files';
import { runApart } from '../apart/run-apart.ts';
import type { Progress } from '../apart/say-apart.ts';
import { checkGoesOn } from '../shared/import-deps.ts';
import type { ImportRequest } from '../shared/importer.ts';
import { readVector, type ReadVector } from './read-vector.ts';

/** A file up to so many bytes is read in the server's own thread: sooner done than a process is started, and in a moment. */
const SMALL_BYTES = 1024 ** 2;

/** What is to be read. */
export interface VectorRequest extends Pick<ImportRequest, 'path' | 'fileName'> {
  /** What was noted of the file before. */
  readonly before: ImportNotes['report'];
}

/** A layer that was read, and what is to be told of its file. */
export interface NotedVector {
  /** Undefined where every feature was refused. */
  readonly vector: ReadVector | undefined;
  readonly notes: ImportNotes['report'];
}

/**
 * `readVector` for a server at work: to check the rings of a large file takes a minute, which a process of its own does. Throws what
 * `readVector` and `runApart` do.
 */
export async function readVectorApart(request: ImportRequest, before: ImportNotes['report']): Promise<NotedVector> {
  const { path, fileName, signal, progress } = request;
  const vector: VectorRequest = { path, fileName, before };
  if ((await stat(path)).size <= SMALL_BYTES) return await readWhole(vector, progress, signal);
  const worker = workerUrl('./vector-worker', import.meta.url);
  const told = progress === undefined ? {} : { progress };
  try {
    return await runApart<NotedVector>({ worker, data: vector, fileName, signal, ...told });
  } catch (error) {
    checkGoesOn(request);
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
  const told = (done: number, total = 0): void => progress(done, total);
  const vector = await readVector({ path, fileName, signal, progress: told }, notes);
  return { vector, notes: notes.report };
}
