import { type EoAccount, invalidField } from '@headwater/core';
import type { Ports } from '../../deps.ts';

/** Number of runs that the message names. */
const NAMED = 5;

/**
 * Throws `validation` with the ids of the runs if the platform of an account is changed while runs with this account are queued or running.
 * After such a change, these runs would read scenes from another source than the checked source, or could not export.
 */
export async function checkPlatformChange(
  { id, platform }: Pick<EoAccount, 'id' | 'platform'>,
  wanted: EoAccount['platform'] | undefined,
  { stores }: Ports<'stores'>,
): Promise<void> {
  if (wanted === undefined || wanted === platform) return;
  const { ids, total } = await stores.runs.openRunsOf(id, NAMED);
  if (total === 0) return;
  const more = total > ids.length ? ` and ${total - ids.length} more` : '';
  throw invalidField(
    'platform',
    `cannot change from ${platform} to ${wanted} while runs with this account are open: ${ids.join(', ')}${more}. Wait for their end, or cancel them.`,
  );
}
