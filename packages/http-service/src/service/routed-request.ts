import {
  type Allowance,
  type ApiKeyCheck,
  type Auth,
  type CredentialSource,
  decide,
  decideWithBody,
  type Decision,
  type RequestLimit,
} from '@headwater/identity';
import { isObject } from '@headwater/core/values';
import type { Ports } from '../deps.ts';
import type { OperationInput } from '../rows/operation.ts';
import { rateLimitExceeded } from '../limits/key-limits.ts';
import type { BodyReader } from '../reading/read-body.ts';
import type { EarlyReply } from '../seam/reply.ts';
import type { ServiceRequest } from '../seam/request.ts';
import type { Match } from './router.ts';
import type { RowPlan } from './row-plan.ts';

type AuthParts = Ports<'auth' | 'clock'>;

/** Time, ms, that reading the body may take. If it takes longer, the credentials are checked again. */
const CHECK_AGE_MS = 1000;

/** A caller, and the time at which the caller's credentials were checked, epoch ms. */
export interface CheckedCaller {
  readonly principal: unknown;
  readonly atMs: number;
}

/** Facts about a request that are known before its operation reads it. */
export type RoutedParts = Pick<RoutedRequest, 'request' | 'requestId' | 'path' | 'queryText' | 'match'>;

/** Values that an operation reads from a request before its handler runs. */
export type ReadParts = Pick<RoutedRequest, 'principal' | 'params' | 'query' | 'body'>;

/**
 * One request within the service. It is created after routing, filled while the operation reads the request, and passed to the
 * handler as input.
 */
export class RoutedRequest implements OperationInput<Auth, unknown, unknown, unknown> {
  readonly request: ServiceRequest;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly queryText: string;
  readonly headers: ServiceRequest['headers'];
  readonly remoteAddress: string | undefined;
  readonly match: Match | undefined;
  /** Plan of the matching operation; undefined if no operation has this path and method. */
  readonly plan: RowPlan | undefined;
  principal: unknown;
  params: unknown;
  query: unknown;
  body: unknown;
  #decision: Decision | undefined;
  #allowances: Allowance[] | undefined;
  #body: Promise<unknown> | undefined;

  constructor({ request, requestId, path, queryText, match }: RoutedParts) {
    this.request = request;
    this.requestId = requestId;
    this.method = request.method;
    this.path = path;
    this.queryText = queryText;
    this.headers = request.headers;
    this.remoteAddress = request.remoteAddress;
    this.match = match;
    this.plan = match?.route.plans.get(this.rowMethod);
    this.principal = undefined;
    this.params = undefined;
    this.query = undefined;
    this.body = undefined;
  }

  /** Method of the operation. For HEAD it is GET. */
  get rowMethod(): string {
    return this.method === 'HEAD' ? 'GET' : this.method;
  }

  /** The signal is read from the request on first use, because adapters create the signal only when it is used. */
  get signal(): AbortSignal {
    return this.request.signal;
  }

  /**
   * Plan whose error format applies: the plan of the matching operation; if no operation matches, the plan of the path's first
   * operation.
   */
  get wordedBy(): RowPlan | undefined {
    return this.plan ?? this.match?.route.first;
  }

  /** Remaining requests of the credential; undefined if the policy of the credential has no limits. */
  get allowances(): readonly Allowance[] | undefined {
    return this.#allowances;
  }

  /**
   * Value of `WWW-Authenticate` in a refusal: the challenge of the policy that decided; if none decided, the challenges of all
   * policies of the operation.
   */
  get challenge(): string | undefined {
    if (this.#decision !== undefined) return this.#decision.policy.challenge;
    const challenges = (this.wordedBy?.policies ?? []).flatMap(({ challenge }) => challenge ?? []);
    return challenges.length === 0 ? undefined : challenges.join(', ');
  }

  get #source(): CredentialSource {
    const { headers, method, remoteAddress, request } = this;
    return { headers, method, url: request.url, remoteAddress, trustedHops: request.trustedHops };
  }

  /** Reads the body once. */
  readBody({ readBody }: Pick<RowPlan, 'readBody'>): Promise<unknown> {
    return (this.#body ??= readBody?.(this.request) ?? NO_BODY);
  }

  /**
   * Resolves to true when the body has been read. Resolves to false if the declared size is unknown or above `bytes`, or if the body does
   * not arrive within `ms`. Rejects as `readBody` does.
   */
  async bodyArrives(readBody: BodyReader, { bytes, ms }: NonNullable<EarlyReply['unless']>): Promise<boolean> {
    const { body, headers } = this.request;
    const length = Number(headers['content-length'] ?? Number.NaN);
    if (body.kind === 'stream' && !(length <= bytes)) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), ms);
    try {
      return await Promise.race([promise, this.readBody({ readBody }).then(() => true)]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Authenticates the caller by the plan's policies; throws, or rejects with, a `DomainError`. */
  authenticate(plan: RowPlan, deps: AuthParts): Promise<unknown> {
    if (plan.asksBody) return this.#authenticateWithBody(plan, deps);
    return this.#decide(decide(plan.policies, this.#source), deps);
  }

  async #authenticateWithBody(plan: RowPlan, deps: AuthParts): Promise<unknown> {
    const source = { ...this.#source, body: () => this.#fields(plan) };
    return await this.#decide(await decideWithBody(plan.policies, source), deps);
  }

  /**
   * Returns the caller after the body was read. If reading took more than a second, checks the credentials again,
   * because the session may have ended. This check does not count the request again.
   */
  async principalAfterBody({ principal, atMs }: CheckedCaller, { auth, clock }: AuthParts): Promise<unknown> {
    if (this.#decision === undefined || clock.now().getTime() - atMs < CHECK_AGE_MS) return principal;
    const { policy, credential } = this.#decision;
    const apiKeys: ApiKeyCheck = { authenticate: (text) => auth.apiKeys.authenticate(text, { isRepeated: true }) };
    return await policy.authenticate(credential, { ...auth, apiKeys });
  }

  #decide(decision: Decision, deps: AuthParts): Promise<unknown> {
    const { policy, credential } = decision;
    this.#decision = decision;
    const principal = policy.authenticate(credential, deps.auth);
    const limits = policy.limits?.(deps.auth) ?? [];
    return limits.length === 0 ? principal : this.#counted(principal, credential.value, limits);
  }

  /** Returns the caller after all limits have counted the request. Rejects with `throttled` at the first limit that is exceeded. */
  async #counted(
    authentication: Promise<unknown>,
    credential: string,
    limits: readonly RequestLimit[],
  ): Promise<unknown> {
    const principal = await authentication;
    for (const limit of limits) {
      const counted = await limit.take(credential, principal);
      (this.#allowances ??= []).push(counted);
      if (counted.isRefused) throw rateLimitExceeded(counted);
    }
    return principal;
  }

  async #fields(plan: RowPlan): Promise<Readonly<Record<string, unknown>>> {
    const value = await this.readBody(plan);
    return isObject(value) ? value : {};
  }
}

const NO_BODY = Promise.resolve(undefined);
