import { isDomainError, messageOf, publicAddress } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import { isTransientStatus } from '@headwater/net/retry';
import type { BackendDeps } from './settings.ts';

type Item = Readonly<Record<string, unknown>>;

const TRIES = 3;
const FIRST_FAILURE = 400;
const TIMEOUT_MS = 30_000;

const REMEDY =
  "Files of a container without access to the service's database and data folder cannot be fetched. Either mount the service's data folder, " +
  'and connect the container to the database unless the database is in that folder; then the container publishes its files. Or let the container ' +
  'store its files at addresses that every client can fetch.';

/** Reason not to publish an Item: a file that cannot be fetched. Undefined if all files can be fetched. */
export async function missingFile(deps: BackendDeps, item: Item, signal: AbortSignal): Promise<string | undefined> {
  const { assets } = item;
  if (!isObject(assets)) return undefined;
  for (const [name, asset] of Object.entries(assets)) {
    const href: unknown = isObject(asset) ? asset['href'] : undefined;
    if (typeof href !== 'string') continue;
    const problem = await problemOf(deps, href, signal);
    if (problem !== undefined)
      return `asset ${name} of Item ${String(item['id'])} cannot be fetched: ${publicAddress(href)} ${problem}. ${REMEDY}`;
  }
  return undefined;
}

async function problemOf(deps: BackendDeps, href: string, signal: AbortSignal): Promise<string | undefined> {
  if (!URL.canParse(href) || !/^https?:$/.test(new URL(href).protocol)) return 'is not an http or https address';
  const own = await deps.statusOf(href);
  if (own !== undefined)
    return own < FIRST_FAILURE ? undefined : `is an address of this service, which returns ${own} for it`;
  return await problemElsewhere(deps, href, signal);
}

async function problemElsewhere(
  { reach, timers, settings }: BackendDeps,
  href: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    const fault = await faultElsewhere(reach, href, signal);
    if (fault === undefined) return undefined;
    if (!fault.isRetryable || attempt === TRIES) return fault.problem;
    await timers.sleep(settings.retryMs, signal);
    signal.throwIfAborted();
  }
}

async function faultElsewhere(
  reach: BackendDeps['reach'],
  href: string,
  signal: AbortSignal,
): Promise<{ readonly problem: string; readonly isRetryable: boolean } | undefined> {
  try {
    const status = await reach(href, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
    if (status < FIRST_FAILURE) return undefined;
    return { problem: `returns ${status}`, isRetryable: isTransientStatus(status) };
  } catch (error) {
    signal.throwIfAborted();
    // The address is forbidden, so a retry would be refused too.
    if (isDomainError(error)) return { problem: `may not be requested (${error.message})`, isRetryable: false };
    return { problem: `does not respond (${messageOf(error)})`, isRetryable: true };
  }
}

/** Requests the first byte of a file; returns the status. Servers with signed addresses refuse HEAD. */
export async function fetchFirstByte(href: string, signal: AbortSignal): Promise<number> {
  const { status, body } = await fetch(href, { headers: { range: 'bytes=0-0' }, signal });
  await body?.cancel();
  return status;
}
