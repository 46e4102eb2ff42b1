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

type AuthParts = Ports<'auth'>;

/** Facts about a request that are known after routing. */
export type RoutedParts = Pick<RoutedRequest, 'request' | 'requestId' | 'path' | 'queryText' | 'match'>;

/** One request within the service, from its routing to the call of its handler. */
export class RoutedRequest implements OperationInput<Auth, unknown, unknown, unknown> {
  readonly request: ServiceRequest;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly queryText: string;
  readonly headers: ServiceRequest['headers'];
  readonly remoteAddress: string | undefined;
  readonly match: Match | undefined;
  /** Plan of the operation; undefined if no operation has this path and method. */
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

  get rowMethod(): string {
    return this.method === 'HEAD' ? 'GET' : this.method;
  }

  /** A getter, because adapters create the signal only when it is read. */
  get signal(): AbortSignal {
    return this.request.signal;
  }

  /** Plan whose error format applies: of the matching operation, or of the path's first operation. */
  get wordedBy(): RowPlan | undefined {
    return this.plan ?? this.match?.route.first;
  }

  /** Limits that have counted this request; undefined if there are none. */
  get allowances(): readonly Allowance[] | undefined {
    return this.#allowances;
  }

  /** Value of `WWW-Authenticate` in a refusal. */
  get challenge(): string | undefined {
    if (this.#decision !== undefined) return this.#decision.policy.challenge;
    const challenges = (this.wordedBy?.policies ?? []).flatMap(({ challenge }) => challenge ?? []);
    return challenges.length === 0 ? undefined : challenges.join(', ');
  }

  get #source(): CredentialSource {
    const { headers, method, remoteAddress, request } = this;
    return { headers, method, url: request.url, remoteAddress, trustedHops: request.trustedHops };
  }

  readBody({ readBody }: Pick<RowPlan, 'readBody'>): Promise<unknown> {
    return (this.#body ??= readBody?.(this.request) ?? NO_BODY);
  }

  /**
   * Waits for the body. Returns true when the body has been read; false if its declared size is unknown or above
   * `bytes`, or after `ms`.
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

  /** Finds the caller. Throws, or rejects with, a `DomainError`. */
  authenticate(plan: RowPlan, deps: AuthParts): Promise<unknown> {
    if (plan.asksBody) return this.#authenticateWithBody(plan, deps);
    return this.#decide(decide(plan.policies, this.#source), deps);
  }

  async #authenticateWithBody(plan: RowPlan, deps: AuthParts): Promise<unknown> {
    const source = { ...this.#source, body: () => this.#fields(plan) };
    return await this.#decide(await decideWithBody(plan.policies, source), deps);
  }

  /** Checks the same credentials again. Counts no request. Rejects with a `DomainError`. */
  async authenticateAgain({ auth }: AuthParts): Promise<void> {
    if (this.#decision === undefined) return;
    const { policy, credential } = this.#decision;
    const apiKeys: ApiKeyCheck = { authenticate: (text) => auth.apiKeys.authenticate(text, { isRepeated: true }) };
    this.principal = await policy.authenticate(credential, { ...auth, apiKeys });
  }

  #decide(decision: Decision, deps: AuthParts): Promise<unknown> {
    const { policy, credential } = decision;
    this.#decision = decision;
    const principal = policy.authenticate(credential, deps.auth);
    const limits = policy.limits?.(deps.auth) ?? [];
    return limits.length === 0 ? principal : this.#counted(principal, credential.value, limits);
  }

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
