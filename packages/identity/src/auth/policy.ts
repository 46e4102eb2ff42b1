import type { DomainError } from '@headwater/core';
import type { AuthDeps, CredentialSource, RequestLimit } from './types.ts';

/** Place of credentials: a header in lower case, a cookie, or a top-level member of the body. */
export interface CredentialPlace {
  readonly in: 'header' | 'cookie' | 'body';
  readonly name: string;
}

/** Credentials that a policy found. */
export interface Credential {
  /** Text of the credentials; empty only for a policy without places. */
  readonly value: string;
  /** Place of the credentials; undefined only for a policy without places. */
  readonly place: CredentialPlace | undefined;
  /** Whole request; the checks of sessions and of a host's sign-in read more of it than `value`. */
  readonly request: CredentialSource;
}

/** Security scheme object of OpenAPI 3.1. */
export type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: string; readonly bearerFormat?: string; readonly description?: string }
  | {
      readonly type: 'apiKey';
      readonly in: 'header' | 'cookie' | 'query';
      readonly name: string;
      readonly description?: string;
    };

/** Authenticates requests. Embedders can add policies. */
export interface Policy<P = unknown> {
  /** Name of the kind of credentials; the key of the security scheme in OpenAPI. Policies of one scheme share it. */
  readonly name: string;
  /** True for a policy of users. The sign-in of an embedding host (`AuthDeps.host`) replaces its credentials. */
  readonly isOfUsers?: true;
  /** Security scheme; absent if the policy reads no credentials, or if OpenAPI cannot express them. */
  readonly scheme?: SecurityScheme;
  /** Places of credentials, in this order. A policy without places applies to every request. */
  readonly places: readonly CredentialPlace[];
  /** Returns true for credentials of this policy; necessary if several policies read one header. Default: any text. */
  readonly recognises?: (text: string) => boolean;
  /** `WWW-Authenticate` header of refusals. */
  readonly challenge?: string;
  /** First check of a request whose method the path does not have: `credentials` (401) or `method` (405). */
  readonly refusesFirst: 'credentials' | 'method';
  /** Error for missing credentials; default: `not_authenticated`. */
  readonly missing?: () => DomainError;
  /** Limits of requests with this policy's credentials, counted in order. */
  readonly limits?: (deps: AuthDeps) => readonly RequestLimit<P>[];
  /** Returns the caller. Rejects with a `DomainError` for invalid credentials. */
  authenticate(credential: Credential, deps: AuthDeps): Promise<P>;
}
