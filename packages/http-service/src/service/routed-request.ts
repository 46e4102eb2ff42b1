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
import { tooOften } from '../limits/key-limits.ts';
import type { ServiceRequest } from '../seam/request.ts';
import type { Match } from './router.ts';
import type { RowPlan } from './row-plan.ts';

type AuthParts = Ports<'auth' | 'clock'>;

/** Time of reading a body from which credentials are checked once more, ms. */
const CHECK_AGE_MS = 1000;

/** A caller, and when the check of his credentials ended, ms. */
export interface CheckedCaller {
  readonly principal: unknown;
  readonly atMs: number;
}

/** What the router found of a request. */
export type RoutedParts = Pick<RoutedRequest, 'request' | 'requestId' | 'path' | 'queryText' | 'match'>;

/** What a row read of a request before its handler runs. */
export type ReadParts = Pick<RoutedRequest, 'principal' | 'params' | 'query' | 'body'>;

/** One request within the service: routed first, then read by its row, and so the input of the row's handler. */
export class RoutedRequest implements OperationInput<Auth, unknown, unknown, unknown> {
  readonly request: ServiceRequest;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly queryText: string;
  readonly headers: ServiceRequest['headers'];
  readonly remoteAddress: string | undefined;
  readonly match: Match | undefined;
  /** The row that is meant; undefined if no row has this path and method. */
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

  /** The method of the row: HEAD is the GET that it stands for. */
  get rowMethod(): string {
    return this.method === 'HEAD' ? 'GET' : this.method;
  }

  /** Made when a handler asks for it: adapters make it late. */
  get signal(): AbortSignal {
    return this.request.signal;
  }

  /** The row whose words a failure takes: the one that is meant, else the first of its path. */
  get wordedBy(): RowPlan | undefined {
    return this.plan ?? this.match?.route.first;
  }

  /** Requests that the credential may still make; undefined if its policy has no limits. */
  get allowances(): readonly Allowance[] | undefined {
    return this.#allowances;
  }

  /** `WWW-Authenticate` of a refusal: that of the policy that decided, or of all that the row names. */
  get challenge(): string | undefined {
    if (this.#decision !== undefined) return this.#decision.policy.challenge;
    const challenges = (this.wordedBy?.policies ?? []).flatMap(({ challenge }) => challenge ?? []);
    return challenges.length === 0 ? undefined : challenges.join(', ');
  }

  get #source(): CredentialSource {
    const { headers, method, remoteAddress } = this;
    return { headers, method, remoteAddress };
  }

  /** The body as it was read, once. */
  readBody(plan: RowPlan): Promise<unknown> {
    return (this.#body ??= plan.readBody?.(this.request) ?? NO_BODY);
  }

  /** Who is calling, as the plan's policies find; throws, or rejects with, a `DomainError`. */
  authenticate(plan: RowPlan, deps: AuthParts): Promise<unknown> {
    if (plan.asksBody) return this.#authenticateWithBody(plan, deps);
    return this.#decide(decide(plan.policies, this.#source), deps);
  }

  async #authenticateWithBody(plan: RowPlan, deps: AuthParts): Promise<unknown> {
    const source = { ...this.#source, body: () => this.#fields(plan) };
    return await this.#decide(await decideWithBody(plan.policies, source), deps);
  }

  /**
   * The caller after the body was read. If reading took a while, the credentials are checked once more, or a session that ended meanwhile
   * would still be acted for. It is the same request: nothing is counted twice.
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

  /** The caller, once the request is counted by each limit; rejects with `throttled` at the first that is exceeded. */
  async #counted(found: Promise<unknown>, credential: string, limits: readonly RequestLimit[]): Promise<unknown> {
    const principal = await found;
    for (const limit of limits) {
      const counted = await limit.take(credential);
      (this.#allowances ??= []).push(counted);
      if (counted.isRefused) throw tooOften(counted);
    }
    return principal;
  }

  async #fields(plan: RowPlan): Promise<Readonly<Record<string, unknown>>> {
    const value = await this.readBody(plan);
    return isObject(value) ? value : {};
  }
}

const NO_BODY = Promise.resolve(undefined);
