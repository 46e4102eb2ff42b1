import { isObject } from '@headwater/core/values';
import { messageOf } from '@headwater/core';

/** How long an address may take to answer, ms. */
const ANSWER_MS = 30_000;
const REMEDY =
  "The files lie under DATA_DIR of this process. Mount the service's DATA_DIR and set DB_HOST, so that the result is published there, or " +
  'let PUBLIC_BASE_URL be an address that serves them.';

/** Throws an error that names the first file of a result that nobody could fetch: a result is posted whole or not at all. */
export async function checkServed(result: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<void> {
  const items: unknown = result['stac_items'];
  for (const item of Array.isArray(items) ? items.filter(isObject) : [])
    for (const [name, asset] of Object.entries(isObject(item['assets']) ? item['assets'] : {})) {
      const href: unknown = isObject(asset) ? asset['href'] : undefined;
      const problem = typeof href === 'string' ? await problemOf(href, signal) : 'has no address';
      if (problem === undefined) continue;
      throw new Error(`asset ${name} of Item ${String(item['id'])} cannot be fetched: ${problem}. ${REMEDY}`);
    }
}

/** Asks for the first byte. */
async function problemOf(href: string, signal: AbortSignal): Promise<string | undefined> {
  const limits = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  try {
    const answer = await fetch(href, { headers: { range: 'bytes=0-0' }, signal: limits });
    await answer.body?.cancel();
    return answer.ok ? undefined : `${href} answers with ${answer.status}`;
  } catch (error) {
    signal.throwIfAborted();
    const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
    return `${href} does not answer (${messageOf(cause)})`;
  }
}
