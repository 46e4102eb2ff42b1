import { workerUrl } from '@headwater/net/files';
import { runInChild } from '../child-process/run-in-child.ts';
import type { Progress } from '../child-process/report-to-parent.ts';
import type { Checked, CheckRequest } from './check-features.ts';

/** Runs `checkFeatures` in a child process. Throws the errors of `runInChild`. */
export async function checkInChild(request: CheckRequest, signal: AbortSignal, progress: Progress): Promise<Checked> {
  const { fileName } = request;
  const worker = workerUrl('./check-worker', import.meta.url);
  return await runInChild<Checked>({ worker, data: request, fileName, signal, progress });
}
