import { type EoAccount, invalidField } from '@headwater/core';
import type { Ports } from '../../deps.ts';

const NAMED = 5;

/**
 * Throws `validation` if an account with unfinished runs gets another platform. Otherwise these runs would read from
 * a source for which their requests were not checked.
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
