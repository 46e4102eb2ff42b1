import { isFinal, NetError } from '../errors.ts';
import { backoffMs, retry } from '../retry/index.ts';
import { type NetResponse, TransientFailure } from './response.ts';
import { Outbound, type Outgoing } from './outbound.ts';
import { NETWORK_DEFAULTS, type NetworkSettings, type NetworkTools, SYSTEM_LOOKUP, SYSTEM_TOOLS } from './settings.ts';

/** Parses an http(s) origin such as `http://10.0.0.5:8080`; undefined for other texts. */
export function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, href } = new URL(text);
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : undefined;
}

/** Converts origins to a set. Throws `validation` that quotes an invalid text. */
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
 * Receives the reason of each pause, and null when no request waits. `line`: log line at the first pause for an
 * unresolved host.
 */
export type OnWait = (note: string | null, line?: string) => void;

/** Options of a network. */
export interface NetworkOptions {
  readonly settings?: Partial<NetworkSettings> | undefined;
  readonly tools?: NetworkTools;
  readonly onWait?: OnWait | undefined;
}

/** A request that is retried until the waiting budget is used up and `tries` attempts were made. */
export interface RetriedRequest<T> {
  /** Address without secrets. */
  readonly shown: string;
  /** Makes one attempt; `signal` also aborts at the timeout. Domain errors are not retried, other errors are. */
  readonly ask: (signal: AbortSignal) => Promise<T | TransientFailure>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends requests and retries them within a shared waiting budget (`patienceMs`). Pauses are exponential and random, and
 * respect `Retry-After`. Only public addresses and allowed origins are requested.
 */
export class Network {
  readonly settings: NetworkSettings;
  readonly tools: NetworkTools;
  readonly #onWait: OnWait;
  /** Time of the first failure to resolve a name, by host, epoch ms. */
  readonly #unresolved = new Map<string, number>();
  readonly #outbound: Outbound;
  #waiting = 0;
  #since = 0;
  #spentMs = 0;

  /** Creates a network. Throws `validation` for an invalid allowed origin. */
  constructor({ settings, tools = SYSTEM_TOOLS, onWait }: NetworkOptions = {}) {
    this.settings = { ...NETWORK_DEFAULTS, ...settings };
    this.tools = tools;
    this.#onWait = onWait ?? ((): void => {});
    const allowed = originSet(this.settings.allowedOrigins);
    this.#outbound = new Outbound({ allowed, lookup: tools.lookup ?? SYSTEM_LOOKUP });
  }

  /** Sends one attempt and follows redirects. Throws `input_data` for an address that is not allowed. */
  send(outgoing: Outgoing, signal: AbortSignal): Promise<NetResponse> {
    return this.#outbound.send(outgoing, signal);
  }

  /** Throws `input_data` for a link from an https address to an http address whose origin is not allowed. */
  checkStep(from: string, to: string): void {
    this.#outbound.checkStep(new URL(from), new URL(to));
  }

  /**
   * Returns the first successful result. Throws `unavailable` when the waiting budget is used up; for an unresolved
   * name, the budget is at most `unresolvedMs`. Throws the signal's reason if the signal aborts.
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

  #pauseAfter(tries: number, { retryAfterMs, isUnresolved }: TransientFailure, host: string): number | undefined {
    const { firstPauseMs, longestPauseMs } = this.settings;
    const { random } = this.tools;
    // A random time is added, because clients that got the same `Retry-After` would otherwise retry at the same time.
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

  #unresolvedLeftMs(host: string): number {
    const now = this.tools.now();
    return this.settings.unresolvedMs - (now - (this.#unresolved.get(host) ?? now));
  }

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

/** Error after the last attempt. `details.isUnresolved`: the name server reports that no such host exists. */
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

/** Reason of a failure, for messages. It contains no addresses, because their queries may contain keys. */
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? [wordsOf(cause.cause)] : [];
  const text = cause instanceof Error ? [wordsOf(cause), ...inner].join(': ') : String(cause);
  return text.replace(/https?:\/\/\S+/gi, 'its address');
}

/**
 * System call and code of a system error, because its message contains host and port of a possibly private network. For
 * other errors, the message.
 */
function wordsOf(error: NodeJS.ErrnoException): string {
  const { code, syscall, message } = error;
  return code === undefined || syscall === undefined ? message : `${syscall} ${code}`;
}
