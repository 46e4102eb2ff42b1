import type { DomainError } from '@headwater/core';
import type { AuthDeps, CredentialSource, RequestLimit } from './types.ts';

/** Place of credentials in a request. Header names are in lower case; body members are at the top level. */
export interface CredentialPlace {
  readonly in: 'header' | 'cookie' | 'body';
  readonly name: string;
}

/** The credentials that a policy found. */
export interface Credential {
  /** Text of the credentials; empty only for a policy without places. */
  readonly value: string;
  /** Place in which the credentials were found; undefined only for a policy without places. */
  readonly place: CredentialPlace | undefined;
  /**
   * The whole request. The check of a session needs it, because a request that changes data must also contain a CSRF
   * token.
   */
  readonly request: CredentialSource;
}

/** An OpenAPI 3.1 security scheme object, as the OpenAPI document of the service contains it. */
export type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: string; readonly bearerFormat?: string; readonly description?: string }
  | {
      readonly type: 'apiKey';
      readonly in: 'header' | 'cookie' | 'query';
      readonly name: string;
      readonly description?: string;
    };

/** Authenticates requests. A policy is an object and not only a name, so that an embedder can add policies. */
export interface Policy<P = unknown> {
  /** Name of the policy, unique among the operations of a service. It is the key of the security scheme in OpenAPI. */
  readonly name: string;
  /**
   * True for a policy that authenticates users of accounts. If a host has its own sign-in, this sign-in replaces the
   * credentials of the policy.
   */
  readonly isOfUsers?: true;
  /**
   * Absent if the policy requires no credentials, or if OpenAPI cannot express the credentials (a member of the body).
   */
  readonly scheme?: SecurityScheme;
  /** Places that are searched for credentials, in this order. A policy without places applies to every request; its `authenticate` may still refuse the request. */
  readonly places: readonly CredentialPlace[];
  /**
   * Returns true if the text holds credentials of this policy. This function is necessary if several policies read the same
   * place, such as `Authorization` with different schemes. Default: true for any text.
   */
  readonly recognises?: (text: string) => boolean;
  /** `WWW-Authenticate` header of refusals by this policy; absent: no such header. */
  readonly challenge?: string;
  /** The check that comes first: `credentials` (401 without credentials), or `method` (405 for a wrong method). */
  readonly refusesFirst: 'credentials' | 'method';
  /** Error for a request without credentials of this policy; default: `not_authenticated`. */
  readonly missing?: () => DomainError;
  /** Limits of requests with credentials of this policy, counted in this order; default: none. */
  readonly limits?: (deps: AuthDeps) => readonly RequestLimit<P>[];
  /** Returns the caller; rejects with a `DomainError` if the credentials are invalid. */
  authenticate(credential: Credential, deps: AuthDeps): Promise<P>;
}
