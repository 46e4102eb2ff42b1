import type { Clock, Logger } from '@headwater/core';
import { isOrchestratorError, type OrchestratorClient, type RequestNote } from '@headwater/orchestrator-client';

/** Dependencies of the log. */
export interface OutageLogDeps {
  readonly client: Pick<OrchestratorClient, 'address' | 'observe'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const MINUTE_MS = 60_000;
/** Statuses of a proxy for an unavailable server. */
const PROXY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);
const REMEDY =
  'waiting runs continue when it responds again; check that its web server is running and that this machine can reach the address';

/**
 * Logs an outage at most once a minute, from its first failed request on, and then its end. Outage: no response, or
 * status 502, 503 or 504. Returns a function that ends the logging.
 */
export function logOutages({ client, clock, logger }: OutageLogDeps): () => void {
  const { address } = client;
  let outageSince: number | undefined;
  let loggedAt = -Infinity;
  let isLogged = false;
  const noteOutage = (problem: string, now: number): void => {
    outageSince ??= now;
    if (now - loggedAt < MINUTE_MS) return;
    const seconds = secondsOf(now - outageSince);
    loggedAt = now;
    if (isLogged) logger.error({ address, problem, seconds }, `the orchestrator still does not respond: ${REMEDY}`);
    else logger.error({ address, problem }, `the orchestrator does not respond: ${REMEDY}`);
    isLogged = true;
  };
  const noteResponse = (now: number): void => {
    if (outageSince === undefined) return;
    const seconds = secondsOf(now - outageSince);
    if (isLogged) logger.info({ address, seconds }, 'the orchestrator responds again');
    outageSince = undefined;
    isLogged = false;
  };
  return client.observe((note) => {
    const now = clock.now().getTime();
    const problem = problemOf(note);
    // An orchestrator may close the connection of a call that it does not offer, which is no outage.
    if (problem !== undefined && note.isOptional) return;
    if (problem === undefined) noteResponse(now);
    else noteOutage(problem, now);
  });
}

const secondsOf = (ms: number): number => Math.round(ms / 1000);

function problemOf({ status, problem }: RequestNote): string | undefined {
  if (status === null) return problem ?? 'no response';
  return PROXY_STATUSES.has(status) ? `status ${status}` : undefined;
}

/**
 * Returns a function that logs errors of a watcher, equal errors at most once a minute. Outages are left out, because
 * `logOutages` logs them.
 */
export function problemLog({ clock, logger }: Pick<OutageLogDeps, 'clock' | 'logger'>): (error: unknown) => void {
  let last = { text: '', at: -Infinity };
  return (error) => {
    const [text, at] = [String(error), clock.now().getTime()];
    if (isOutage(error) || (text === last.text && at - last.at < MINUTE_MS)) return;
    last = { text, at };
    logger.error({ error: text }, 'the runs at the orchestrator could not be read');
  };
}

function isOutage(error: unknown): boolean {
  if (isOrchestratorError(error, 'unreachable') || isOrchestratorError(error, 'timeout')) return true;
  return isOrchestratorError(error, 'server_error') && PROXY_STATUSES.has(error.details.status ?? 0);
}
