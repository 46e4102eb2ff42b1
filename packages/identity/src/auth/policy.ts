import type { DomainError } from '@headwater/core';
import type { AuthDeps, RequestLimit } from './types.ts';

/** Where a policy's credentials stand in a request; header names in lower case, body members at the top level. */
export interface CredentialPlace {
  readonly in: 'header' | 'cookie' | 'body';
  readonly name: string;
}

/** Headers by lower-case name, as a host has them. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What a request offers to policies. */
export interface CredentialSource {
  readonly headers: RequestHeaders;
  /** Upper case. */
  readonly method: string;
  /** Address of the client, as far as the host knows it. */
  readonly remoteAddress?: string | undefined;
  /** Reads the fields of the body; called only for a policy that names a body member. */
  readonly body?: () => Promise<Readonly<Record<string, unknown>>>;
}

/** The credentials that a policy found. */
export interface Credential {
  /** Their text; empty only for a policy without places. */
  readonly value: string;
  /** Undefined only for a policy without places. */
  readonly place: CredentialPlace | undefined;
  /** The request around them: a session asks for a CSRF token too where the method changes something. */
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

/** How requests prove who sends them: a value, so that an embedder can bring one of its own. */
export interface Policy<P = unknown> {
  /** Unique in a table; the key of its scheme in OpenAPI. */
  readonly name: string;
  /** Absent where OpenAPI has no word for it (a body member) or nothing is asked. */
  readonly scheme?: SecurityScheme;
  /** Looked at in this order; a policy without places asks for nothing and takes everybody. */
  readonly places: readonly CredentialPlace[];
  /** Tells its own credentials from others' in the same place (a scheme of `Authorization`); default: any text is its own. */
  readonly recognises?: (text: string) => boolean;
  /** `WWW-Authenticate` of its refusals; absent: its refusals carry none. */
  readonly challenge?: string;
  /** What a wrong method is told first: 401 to strangers, or 405 to everybody. */
  readonly refusesFirst: 'credentials' | 'method';
  /** What a request without its credentials is told; default: `not_authenticated`. */
  readonly missing?: () => DomainError;
  /** Limits of the requests with its credentials, in the order in which they count; default: none. */
  readonly limits?: (deps: AuthDeps) => readonly RequestLimit[];
  /** Who is calling; rejects with a `DomainError` when the credentials do not do. */
  authenticate(credential: Credential, deps: AuthDeps): Promise<P>;
}
