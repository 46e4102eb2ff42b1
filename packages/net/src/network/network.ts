import { isFinal, NetError } from '../errors.ts';
import { backoffMs, retry } from '../retry/index.ts';
import { type NetResponse, TransientFailure } from './response.ts';
import { Outbound, type Outgoing } from './outbound.ts';
import { NETWORK_DEFAULTS, type NetworkSettings, type NetworkTools, SYSTEM_LOOKUP, SYSTEM_TOOLS } from './settings.ts';

/** Parses an http(s) origin (`http://10.0.0.5:8080`, with or without a trailing slash); undefined for any other text. */
export function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, href } = new URL(text);
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : undefined;
}

/** Converts origins to a set. Throws a `validation` error that quotes the text if a text is not an origin. */
export function originSet(texts: readonly string[]): ReadonlySet<string> {
  return new Set(
    texts.map((text) => {
      const origin = originOf(text);
      if (origin !== undefined) return origin;
      throw new NetError(
        'validation',
        `allowedOrigins: "${text}" is not an origin; give only scheme, host and port, such as http://10.0.0.5:8080`,
      );
    }),
  );
}

/**
 * Called with the reason at each pause before a retry, and with null when no request waits any more. `line` is a line for the log, which
 * is present only at the first pause for a host whose name cannot be resolved.
 */
export type OnWait = (note: string | null, line?: string) => void;

/** Options of a network; each has a default. */
export interface NetworkOptions {
  readonly settings?: Partial<NetworkSettings> | undefined;
  readonly tools?: NetworkTools;
  readonly onWait?: OnWait | undefined;
}

/** A request that is retried until one attempt succeeds, or until the waiting budget is used up and `tries` attempts were made. */
export interface RetriedRequest<T> {
  /** Address without secrets, for messages. */
  readonly shown: string;
  /**
   * Makes one attempt with `send`; `signal` also aborts at the timeout. After a domain error (an expected failure with a code) the request is not
   * retried; after any other error, the request is retried.
   */
  readonly ask: (signal: AbortSignal) => Promise<T | TransientFailure>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends requests, and retries them within a waiting budget (`patienceMs`). Each pause is twice as long as the pause before it (at
 * most `longestPauseMs`), and is randomised; `Retry-After` is respected. All requests share the budget, which decreases while at least one request waits. Requests are sent
 * only to public addresses and allowed origins (`NetworkSettings.allowedOrigins`).
 */
export class Network {
  readonly settings: NetworkSettings;
  readonly tools: NetworkTools;
  readonly #onWait: OnWait;
  /** Hosts whose names could not be resolved, each with the time of the first failure, ms since 1970 UTC. */
  readonly #unresolved = new Map<string, number>();
  readonly #outbound: Outbound;
  #waiting = 0;
  #since = 0;
  #spentMs = 0;

  /** Creates a network. Throws `validation` if an allowed origin is invalid. */
  constructor({ settings, tools = SYSTEM_TOOLS, onWait }: NetworkOptions = {}) {
    this.settings = { ...NETWORK_DEFAULTS, ...settings };
    this.tools = tools;
    this.#onWait = onWait ?? ((): void => {});
    const allowed = originSet(this.settings.allowedOrigins);
    this.#outbound = new Outbound({ allowed, lookup: tools.lookup ?? SYSTEM_LOOKUP });
  }

  /** Sends one attempt of a request and returns the response after redirects. Throws `input_data` for an address that is not allowed. */
  send(outgoing: Outgoing, signal: AbortSignal): Promise<NetResponse> {
    return this.#outbound.send(outgoing, signal);
  }

  /** Throws `input_data` if `from` is an https address and `to` is an http address that is not allowed. */
  checkStep(from: string, to: string): void {
    this.#outbound.checkStep(new URL(from), new URL(to));
  }

  /**
   * Returns the result of the first successful attempt. Throws `unavailable` when the waiting budget (or `unresolvedMs`, for a name that
   * cannot be resolved) is used up, and the signal's reason if the signal aborts.
   */
  async request<T>(retried: RetriedRequest<T>): Promise<T> {
    let waits = false;
    const pauseAfter = (error: unknown, tries: number): number | undefined => {
      if (!(error instanceof TransientFailure)) return undefined;
      if (!waits) this.#enter();
      waits = true;
      const host = hostOf(retried.shown);
      const line = error.isUnresolved ? this.#unresolvedLine(host) : undefined;
      const pauseMs = this.#pauseAfter(tries, error, host);
      if (pauseMs === undefined) throw unavailable(retried.shown, tries, error);
      const note = `waiting for ${host} (${error.reason}); next try in ${Math.ceil(pauseMs / 1000)} s`;
      this.#onWait(note, line);
      return pauseMs;
    };
    try {
      return await retry(() => this.#attempt(retried), { pauseAfter, sleep: this.tools.sleep, signal: retried.signal });
    } finally {
      if (waits) this.#leave();
    }
  }

  /** Returns the result of one attempt; throws `TransientFailure` if a retry may succeed. */
  async #attempt<T>({ ask, signal, shown }: RetriedRequest<T>): Promise<T> {
    const timeout = this.tools.timeout(this.settings.timeoutMs);
    let result: T | TransientFailure;
    try {
      result = await ask(signal === undefined ? timeout : AbortSignal.any([signal, timeout]));
    } catch (cause) {
      signal?.throwIfAborted();
      throw isFinal(cause) ? cause : new TransientFailure(reasonOf(cause), undefined, cause);
    }
    if (result instanceof TransientFailure) throw result;
    this.#unresolved.delete(hostOf(shown));
    return result;
  }

  /** The pause before the next attempt, ms; undefined if there is no further attempt. */
  #pauseAfter(tries: number, { retryAfterMs, isUnresolved }: TransientFailure, host: string): number | undefined {
    const { firstPauseMs, longestPauseMs } = this.settings;
    const { random } = this.tools;
    // A random time is added to the pause that the server requested. Otherwise all clients with the same Retry-After
    // would send their requests at the same instant.
    const pauseMs =
      retryAfterMs === undefined
        ? backoffMs(tries, { firstPauseMs, longestPauseMs, random })
        : retryAfterMs + firstPauseMs * random();
    const isSure = retryAfterMs === undefined && tries < this.settings.tries;
    const leftMs = Math.min(this.#leftMs(), isUnresolved ? this.#unresolvedLeftMs(host) : Infinity);
    return isSure || pauseMs <= leftMs ? pauseMs : undefined;
  }

  #leftMs(): number {
    const running = this.#waiting > 0 ? this.tools.now() - this.#since : 0;
    return this.settings.patienceMs - this.#spentMs - running;
  }

  /**
   * Remaining time for attempts to reach a host whose name cannot be resolved, ms. The time is counted from the first
   * failure of this host.
   */
  #unresolvedLeftMs(host: string): number {
    const now = this.tools.now();
    return this.settings.unresolvedMs - (now - (this.#unresolved.get(host) ?? now));
  }

  /** Returns the line for the log at the first failure of a host; undefined at later failures. */
  #unresolvedLine(host: string): string | undefined {
    if (this.#unresolved.has(host)) return undefined;
    this.#unresolved.set(host, this.tools.now());
    const { patienceMs, unresolvedMs } = this.settings;
    const seconds = Math.round(Math.min(patienceMs, unresolvedMs) / 1000);
    return `The name ${host} cannot be resolved: check its spelling and the name server of this machine. Retrying for up to ${seconds} s.`;
  }

  #enter(): void {
    if (this.#waiting === 0) this.#since = this.tools.now();
    this.#waiting += 1;
  }

  #leave(): void {
    this.#waiting -= 1;
    if (this.#waiting > 0) return;
    this.#spentMs += this.tools.now() - this.#since;
    this.#onWait(null);
  }
}

/**
 * Error after the last attempt. `details.isUnresolved` is true if the name server reports that no such host exists. Then a later attempt would
 * probably fail too.
 */
function unavailable(
  shown: string,
  tries: number,
  { reason, isUnresolved, isUnknownName }: TransientFailure,
): NetError {
  const remedy = isUnresolved
    ? `correct the name ${hostOf(shown)} or the name server of this machine`
    : 'check the network and the server, or try again later';
  return new NetError('unavailable', `${shown}: no response after ${tries} attempts (${reason}); ${remedy}`, {
    details: { file: shown, ...(isUnknownName && { isUnresolved: true }) },
  });
}

const hostOf = (shown: string): string => (URL.canParse(shown) ? new URL(shown).host : shown);

/** Cause of a failed request. The text contains no addresses, because queries of addresses may contain keys. */
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? [wordsOf(cause.cause)] : [];
  const text = cause instanceof Error ? [wordsOf(cause), ...inner].join(': ') : String(cause);
  return text.replace(/https?:\/\/\S+/gi, 'its address');
}

/**
 * Returns system call and code of a system error, or the message of any other error. The message of a system error is not used, because it
 * contains host and port, which could reveal a private network.
 */
function wordsOf(error: NodeJS.ErrnoException): string {
  const { code, syscall, message } = error;
  return code === undefined || syscall === undefined ? message : `${syscall} ${code}`;
}
