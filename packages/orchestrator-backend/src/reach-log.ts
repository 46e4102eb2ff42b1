import type { Clock, Logger } from '@headwater/core';
import { isOrchestratorError, type OrchestratorClient, type RequestNote } from '@headwater/orchestrator-client';

/** What the log of an orchestrator's reach needs. */
export interface ReachDeps {
  readonly client: Pick<OrchestratorClient, 'address' | 'observe'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const MINUTE_MS = 60_000;
/** What proxies answer for a server that is away. */
const PROXIES_SAY: ReadonlySet<number> = new Set([502, 503, 504]);
const REMEDY =
  'runs wait and go on when it is back; see whether its web server runs and whether this machine reaches that address';

/**
 * Tells of the first request that the orchestrator does not answer, at most once a minute that it is still so, and that it answers again. Many
 * requests fail at a time, each several times: they have no lines of their own. Gives the function that ends it.
 */
export function logReach({ client, clock, logger }: ReachDeps): () => void {
  const { address } = client;
  let awaySince: number | undefined;
  let toldAt = -Infinity;
  let isTold = false;
  const away = (problem: string, now: number): void => {
    awaySince ??= now;
    if (now - toldAt < MINUTE_MS) return;
    const seconds = secondsOf(now - awaySince);
    toldAt = now;
    if (isTold) logger.error({ address, problem, seconds }, `the orchestrator still does not answer: ${REMEDY}`);
    else logger.error({ address, problem }, `the orchestrator does not answer: ${REMEDY}`);
    isTold = true;
  };
  const back = (now: number): void => {
    if (awaySince === undefined) return;
    const seconds = secondsOf(now - awaySince);
    if (isTold) logger.info({ address, seconds }, 'the orchestrator answers again');
    awaySince = undefined;
    isTold = false;
  };
  return client.observe((note) => {
    const now = clock.now().getTime();
    const problem = problemOf(note);
    if (problem === undefined) back(now);
    else away(problem, now);
  });
}

const secondsOf = (ms: number): number => Math.round(ms / 1000);

function problemOf({ status, problem }: RequestNote): string | undefined {
  if (status === null) return problem ?? 'no answer';
  return PROXIES_SAY.has(status) ? `status ${status}` : undefined;
}

/** Logs why passes of a watcher fail: what `logReach` tells is left out, and the same is told once a minute. */
export function problemLog({ clock, logger }: Pick<ReachDeps, 'clock' | 'logger'>): (error: unknown) => void {
  let last = { text: '', at: -Infinity };
  return (error) => {
    const [text, at] = [String(error), clock.now().getTime()];
    if (isOfReach(error) || (text === last.text && at - last.at < MINUTE_MS)) return;
    last = { text, at };
    logger.error({ error: text }, 'the orchestrator could not be looked at');
  };
}

/** True for a failure that `logReach` tells. */
function isOfReach(error: unknown): boolean {
  if (isOrchestratorError(error, 'unreachable') || isOrchestratorError(error, 'timeout')) return true;
  return isOrchestratorError(error, 'server_error') && PROXIES_SAY.has(error.details.status ?? 0);
}
