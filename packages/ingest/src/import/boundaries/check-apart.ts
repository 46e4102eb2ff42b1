import { workerUrl } from '@headwater/net/files';
import { runApart } from '../apart/run-apart.ts';
import type { Progress } from '../apart/say-apart.ts';
import type { Checked, CheckRequest } from './check-features.ts';

/** `checkFeatures` in a process of its own. Throws what `runApart` does. */
export async function checkApart(request: CheckRequest, signal: AbortSignal, progress: Progress): Promise<Checked> {
  const { fileName } = request;
  const worker = workerUrl('./check-worker', import.meta.url);
  return await runApart<Checked>({ worker, data: request, fileName, signal, progress });
}
