import {
  type ApiKeyCheck,
  type CredentialSource,
  decide,
  decideWithBody,
  type Decision,
  policies,
} from '@headwater/identity';
import { isObject } from '@headwater/core';
import type { ServiceDeps } from '../deps.ts';
import { type KeyAllowance, type KeyLimits, tooOften } from '../limits/key-limits.ts';
import type { ServiceRequest } from '../seam/request.ts';
import type { Match } from './router.ts';
import type { RowPlan } from './row-plan.ts';

type AuthParts = Pick<ServiceDeps, 'auth' | 'clock' | 'keyLimits' | 'keyQuota'>;

/** Time of reading a body from which credentials are checked once more, ms. */
const CHECK_AGE_MS = 1000;

/** A caller, and when the check of his credentials ended, ms. */
export interface CheckedCaller {
  readonly principal: unknown;
  readonly atMs: number;
}

/** One request on its way through the service. */
export class Call {
  readonly request: ServiceRequest;
  readonly requestId: string;
  /** Path without query, leading slashes collapsed. */
  readonly path: string;
  readonly query: string;
  readonly match: Match | undefined;
  /** The row that is meant; undefined where the path or the method is nobody's. */
  readonly plan: RowPlan | undefined;
  #decision: Decision | undefined;
  #allowances: KeyAllowance[] | undefined;
  #body: Promise<unknown> | undefined;

  constructor(parts: Pick<Call, 'request' | 'requestId' | 'path' | 'query' | 'match'>) {
    this.request = parts.request;
    this.requestId = parts.requestId;
    this.path = parts.path;
    this.query = parts.query;
    this.match = parts.match;
    this.plan = parts.match?.route.plans.get(this.method);
  }

  /** The method, HEAD as the GET that it stands for. */
  get method(): string {
    const { method } = this.request;
    return method === 'HEAD' ? 'GET' : method;
  }

  /** The row whose words a failure takes: the one that is meant, else the first of its path. */
  get wordedBy(): RowPlan | undefined {
    return this.plan ?? this.match?.route.first;
  }

  /** What the request's API key may still do; undefined where nobody counts. */
  get allowances(): readonly KeyAllowance[] | undefined {
    return this.#allowances;
  }

  /** `WWW-Authenticate` of a refusal: that of the policy that decided, or of all that the row names. */
  get challenge(): string | undefined {
    if (this.#decision !== undefined) return this.#decision.policy.challenge;
    const challenges = (this.wordedBy?.policies ?? []).flatMap(({ challenge }) => challenge ?? []);
    return challenges.length === 0 ? undefined : challenges.join(', ');
  }

  get #source(): CredentialSource {
    const { headers, method, remoteAddress } = this.request;
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
    const isCounted = policy === policies.apiKey && (deps.keyLimits !== undefined || deps.keyQuota !== undefined);
    return isCounted ? this.#counted(principal, credential.value, deps) : principal;
  }

  async #counted(found: Promise<unknown>, key: string, { keyLimits, keyQuota }: AuthParts): Promise<unknown> {
    const principal = await found;
    if (keyLimits !== undefined) this.#count(keyLimits.take(key));
    if (keyQuota !== undefined) this.#count(await keyQuota.take(key));
    return principal;
  }

  #count(taken: ReturnType<KeyLimits['take']>): void {
    (this.#allowances ??= []).push(taken);
    if (taken.isRefused) throw tooOften(taken);
  }

  async #fields(plan: RowPlan): Promise<Readonly<Record<string, unknown>>> {
    const value = await this.readBody(plan);
    return isObject(value) ? value : {};
  }
}

const NO_BODY = Promise.resolve(undefined);
