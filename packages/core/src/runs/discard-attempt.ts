import type { Run, RunStore } from '../ports/runs.ts';

/**
 * Removes the files of an attempt that published nothing; gives whether it published. A publication may have been committed although
 * its answer was lost, so the run is asked first. Rejects where it cannot be read: then nobody knows, and the files stay.
 */
export async function discardUnpublished(
  runs: Pick<RunStore, 'get'>,
  { id, token }: Pick<Run, 'id' | 'token'>,
  discard: () => Promise<void>,
): Promise<boolean> {
  const now = await runs.get(id);
  if (now?.state === 'success' && now.token === token) return true;
  await discard();
  return false;
}
