import type { AuthPolicy, ErrorCode, PrincipalOf } from '@headwater/core';
import type { ZodType } from 'zod';
import type { ServiceDeps } from './deps.ts';
import type { ServiceRequest, ServiceResponse } from './seam.ts';
import type { ErrorFormat } from './wire/wordings/index.ts';

/** What a handler gets: everything is checked and typed by then. */
export interface OperationInput<A extends AuthPolicy, P, Q, B> {
  readonly principal: PrincipalOf<A>;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Upper case; HEAD only where the row's `GET` answers it. */
  readonly method: string;
  /** Path without query, leading slashes collapsed. */
  readonly path: string;
  readonly headers: ServiceRequest['headers'];
  readonly remoteAddress: string | undefined;
  readonly signal: AbortSignal;
  readonly requestId: string;
}

/** What a handler answers: `json` is serialised (and checked in tests), `body` is sent as it is. */
export type Reply =
  | { readonly status: number; readonly json: unknown; readonly headers?: ServiceResponse['headers'] }
  | { readonly status: number; readonly body: ServiceResponse['body']; readonly headers: ServiceResponse['headers'] };

/** An answer of a row: a zod schema for JSON, or the media types of anything else. */
export interface ResponseSpec {
  readonly description: string;
  readonly schema?: ZodType;
  readonly media?: readonly string[];
}

/** A request that works on the documented fixture; sent through every adapter by the conformance suite. */
export interface OperationExample {
  readonly name: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Status that the fixture must answer with. */
  readonly status: number;
}

/** One HTTP operation: a row of the table that routing, OpenAPI, docs and tests loop over. */
export interface Operation<A extends AuthPolicy = AuthPolicy, P = unknown, Q = unknown, B = unknown> {
  /** camelCase verb and noun; `operationId` in OpenAPI. */
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** `:param` form, trailing slash where the wire has one; matched with and without it. */
  readonly path: string;
  readonly auth: A;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: ZodType<P>;
  readonly query?: ZodType<Q>;
  readonly body?: ZodType<B>;
  /** Query names are compared in lower case (OGC key-value pairs). */
  readonly foldQueryCase?: true;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  readonly errors: readonly ErrorCode[];
  /** How failures are worded; problem details where nothing else is named. */
  readonly errorFormat?: ErrorFormat;
  /** Answers must not be stored by anybody (tokens, pages of one user). */
  readonly noStore?: true;
  readonly examples: readonly OperationExample[];
  // A method, not a property: rows of every principal and schema fit into one table.
  handler(input: OperationInput<A, P, Q, B>, deps: ServiceDeps): Promise<Reply> | Reply;
}

/** Types a row's handler from its policy and schemas; returns the row unchanged. */
export function operation<A extends AuthPolicy, P, Q, B>(row: Operation<A, P, Q, B>): Operation<A, P, Q, B> {
  return row;
}

/** A JSON answer. */
export function json(status: number, value: unknown, headers?: ServiceResponse['headers']): Reply {
  return headers === undefined ? { status, json: value } : { status, json: value, headers };
}
