import { type EoAccount, invalidField, type Run } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import type { Ports } from '../../deps.ts';

/** Number of runs per read of the store. */
const PAGE = 100;
/** Number of runs that the message names. */
const NAMED = 5;

/**
 * Throws `validation` with the ids of the runs if the platform of an account is changed while runs with this account are queued or running:
 * they would read scenes from another source than the one that was checked, or export to none.
 */
export async function checkPlatformChange(
  { id, platform }: Pick<EoAccount, 'id' | 'platform'>,
  wanted: EoAccount['platform'] | undefined,
  { stores }: Ports<'stores'>,
): Promise<void> {
  if (wanted === undefined || wanted === platform) return;
  const open = [...(await openRuns(id, 'queued', stores)), ...(await openRuns(id, 'running', stores))];
  if (open.length === 0) return;
  const more = open.length > NAMED ? ` and ${open.length - NAMED} more` : '';
  throw invalidField(
    'platform',
    `cannot change from ${platform} to ${wanted} while runs with this account are open: ${open.slice(0, NAMED).join(', ')}${more}. Wait for their end, or cancel them.`,
  );
}

async function openRuns(
  accountId: number,
  state: 'queued' | 'running',
  { runs }: Ports<'stores'>['stores'],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await runs.list({ state, limit: PAGE, offset });
    found.push(...page.runs.filter((run) => namesAccount(run, accountId)).map(({ id }) => id));
    if (page.runs.length < PAGE) return found;
  }
}

/** True if a run, or the request for the tehsils of a run over a district or a state, names an account. */
function namesAccount({ params }: Pick<Run, 'params'>, accountId: number): boolean {
  const { eoAccountId, request } = params;
  return eoAccountId === accountId || (isObject(request) && request['eoAccountId'] === accountId);
}
