import type { DomainError } from '@headwater/core';
import type { AuthDeps, RequestHeaders, RequestLimit } from './types.ts';

/** Place of a policy's credentials in a request; header names in lower case, body members at the top level. */
export interface CredentialPlace {
  readonly in: 'header' | 'cookie' | 'body';
  readonly name: string;
}

/** Parts of a request that policies can read. */
export interface CredentialSource {
  readonly headers: RequestHeaders;
  /** Upper case. */
  readonly method: string;
  /** Address of the client, if the host can determine it. */
  readonly remoteAddress?: string | undefined;
  /** Number of entries of `X-Forwarded-For` that the host believes; default 0. */
  readonly trustedHops?: number | undefined;
  /** Reads the fields of the body; called only for a policy that names a body member. */
  readonly body?: () => Promise<Readonly<Record<string, unknown>>>;
}

/** The credentials that a policy found. */
export interface Credential {
  /** Their text; empty only for a policy without places. */
  readonly value: string;
  /** Undefined only for a policy without places. */
  readonly place: CredentialPlace | undefined;
  /** The whole request: a session also requires a CSRF token if the method changes data. */
  readonly request: CredentialSource;
}

/** An OpenAPI 3.1 security scheme object, as the document shows it. */
export type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: string; readonly bearerFormat?: string; readonly description?: string }
  | {
      readonly type: 'apiKey';
      readonly in: 'header' | 'cookie' | 'query';
      readonly name: string;
      readonly description?: string;
    };

/** Authentication of requests: a value, so that an embedder can add its own. */
export interface Policy<P = unknown> {
  /** Unique in a table; the key of its scheme in OpenAPI. */
  readonly name: string;
  /** Absent if OpenAPI cannot express it (a body member) or no credentials are required. */
  readonly scheme?: SecurityScheme;
  /** Checked in this order; a policy without places requires no credentials and accepts every request. */
  readonly places: readonly CredentialPlace[];
  /** Recognises its own credentials among others in the same place (a scheme of `Authorization`); default: any text. */
  readonly recognises?: (text: string) => boolean;
  /** `WWW-Authenticate` of its refusals; absent: its refusals have none. */
  readonly challenge?: string;
  /** Order of checks for a wrong method: 401 without credentials first, or 405 for all. */
  readonly refusesFirst: 'credentials' | 'method';
  /** Error of a request without its credentials; default: `not_authenticated`. */
  readonly missing?: () => DomainError;
  /** Limits of the requests with its credentials, in the order of counting; default: none. */
  readonly limits?: (deps: AuthDeps) => readonly RequestLimit<P>[];
  /** Returns the caller; rejects with a `DomainError` if the credentials are invalid. */
  authenticate(credential: Credential, deps: AuthDeps): Promise<P>;
}
