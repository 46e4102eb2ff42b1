import { isDomainError, messageOf, publicAddress } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import { isTransientStatus } from '@headwater/net/retry';
import type { BackendDeps } from './settings.ts';

type Item = Readonly<Record<string, unknown>>;

/** Times that a server elsewhere is asked, a pause of `retryMs` between them. */
const TRIES = 3;
const FIRST_FAILURE = 400;
const TIMEOUT_MS = 30_000;

const REMEDY =
  "The files of a container that has neither the service's database nor its data folder stay in the container: mount the service's data folder, " +
  'and connect the container to its database where that is not in the folder, so that it publishes there by itself; or let it put its files where ' +
  'everybody can fetch them.';

/** Why an Item of a workflow's result is not to be published: a file of it that nobody could fetch, and what to do; undefined where all are there. */
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
  if (!URL.canParse(href) || !/^https?:$/.test(new URL(href).protocol)) return 'is no http or https address';
  const own = await deps.statusOf(href);
  if (own !== undefined)
    return own < FIRST_FAILURE ? undefined : `is an address of this service, which answers it with ${own}`;
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
    if (!fault.mayPass || attempt === TRIES) return fault.problem;
    await timers.sleep(settings.retryMs, signal);
    signal.throwIfAborted();
  }
}

async function faultElsewhere(
  reach: BackendDeps['reach'],
  href: string,
  signal: AbortSignal,
): Promise<{ readonly problem: string; readonly mayPass: boolean } | undefined> {
  try {
    const status = await reach(href, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
    if (status < FIRST_FAILURE) return undefined;
    return { problem: `answers with ${status}`, mayPass: isTransientStatus(status) };
  } catch (error) {
    signal.throwIfAborted();
    // An address that may not be asked will not be later on either.
    if (isDomainError(error)) return { problem: `may not be asked (${error.message})`, mayPass: false };
    return { problem: `does not answer (${messageOf(error)})`, mayPass: true };
  }
}

/** Asks for the first byte of a file: servers that sign addresses refuse HEAD. */
export async function askFirstByte(href: string, signal: AbortSignal): Promise<number> {
  const { status, body } = await fetch(href, { headers: { range: 'bytes=0-0' }, signal });
  await body?.cancel();
  return status;
}
