import { messageOf } from '@headwater/core';
import { isTransientStatus, retry } from '@headwater/net/retry';
import { ConfigError } from '../config/config-error.ts';

const POST_MS = 60_000;
/**
 * Maximum number of posts. A retry begins `PAUSE_MS` after the failure. A service that restarts responds again within
 * seconds.
 */
const TRIES = 5;
const PAUSE_MS = 3000;
const CONFLICT = 409;

/** Destination of a result. */
export interface PostTarget {
  /** Base address of the service, to which `api/jobs/ID/result` is added. */
  readonly service: string;
  readonly secret: string | undefined;
  readonly jobId: string;
  readonly signal: AbortSignal;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Outcome of a job: its result or its error. */
export type JobOutcome =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: string };

/** Posts the outcome of a job to the service, with retries. Throws an error with the service's message. */
export async function postResult(
  outcome: JobOutcome,
  { service, secret, jobId, signal, sleep }: PostTarget,
): Promise<void> {
  const url = addressOf(service, jobId);
  const body = JSON.stringify(outcome);
  const headers = {
    'content-type': 'application/json',
    ...(secret === undefined ? {} : { 'x-work-service-secret': secret }),
  };
  const pauseAfter = (error: unknown, attempt: number): number | undefined =>
    error instanceof PostFailure && error.isTransient && attempt < TRIES ? PAUSE_MS : undefined;
  const post = async (attempt: number): Promise<void> => {
    try {
      await send(url, { headers, body }, signal);
    } catch (error) {
      // A 409 to a retry means that the service stored the result of an earlier post, but its response was lost.
      if (!(error instanceof PostFailure) || error.status !== CONFLICT || attempt === 1) throw error;
    }
  };
  await retry(post, { pauseAfter, sleep: (ms) => sleep(ms, signal), signal });
}

function addressOf(service: string, jobId: string): URL {
  const base = URL.parse(`${service.replace(/\/+$/, '')}/`);
  if (base === null || !/^https?:$/.test(base.protocol))
    throw new ConfigError(
      `--post: ${JSON.stringify(service)} is not an http or https address; write it as http://headwater:8000.`,
    );
  return new URL(`api/jobs/${encodeURIComponent(jobId)}/result`, base);
}

class PostFailure extends Error {
  readonly status: number | undefined;

  constructor({ origin }: URL, text: string, status?: number) {
    super(`the result could not be posted to ${origin}: ${text}`);
    this.status = status;
  }

  get isTransient(): boolean {
    return this.status === undefined || isTransientStatus(this.status);
  }
}

/** Throws `PostFailure`, or the reason of an abort. */
async function send(url: URL, call: Pick<RequestInit, 'headers' | 'body'>, signal: AbortSignal): Promise<void> {
  const limits = AbortSignal.any([signal, AbortSignal.timeout(POST_MS)]);
  try {
    const answer = await fetch(url, { method: 'POST', ...call, signal: limits, redirect: 'error' });
    if (!answer.ok)
      throw new PostFailure(url, `the service answered ${answer.status} ${await startOf(answer)}`, answer.status);
    // The body is not read, because it repeats the result.
    await answer.body?.cancel();
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof PostFailure ? error : new PostFailure(url, messageOf(error));
  }
}

const MOST_SHOWN = 500;

/** Reads only the start of a response, because a long response must not fill the memory. */
async function startOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of body ?? []) {
    text += decoder.decode(part, { stream: true });
    // The end of the loop also cancels the stream.
    if (text.length >= MOST_SHOWN) break;
  }
  return text.slice(0, MOST_SHOWN).toWellFormed();
}
