import type { Auth, PrincipalOf } from '@headwater/identity';
import type { ErrorCode } from '@headwater/core';
import type { ZodType } from 'zod';
import type { ServiceDeps } from '../deps.ts';
import type { EarlyReply, Reply } from '../seam/reply.ts';
import type { RowBody } from '../seam/row-body.ts';
import type { ServiceRequest } from '../seam/request.ts';
import type { ErrorFormat } from '../wire/wordings/index.ts';

/** Validated and typed input of a handler. */
export interface OperationInput<A extends Auth, P, Q, B> {
  readonly principal: PrincipalOf<A>;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Method in upper case; `HEAD` if the client sent HEAD to a GET operation. */
  readonly method: string;
  /** Path without query; several slashes at its start become one. */
  readonly path: string;
  /** Query without its question mark. */
  readonly queryText: string;
  readonly headers: ServiceRequest['headers'];
  readonly remoteAddress: string | undefined;
  readonly signal: AbortSignal;
  readonly requestId: string;
}

/** Path and query of a request, without the prefix of the mount. */
export function urlOf({ path, queryText }: { readonly path: string; readonly queryText: string }): string {
  return queryText === '' ? path : `${path}?${queryText}`;
}

/** Response of an operation: a zod schema of its JSON, its media types, or both. */
export interface ResponseSpec {
  readonly description: string;
  readonly schema?: ZodType;
  readonly media?: readonly string[];
}

/** Example request with the test data of `example-world.ts`. The conformance suite sends it. */
export interface OperationExample {
  readonly name: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Expected status with the test data. */
  readonly status: number;
}

/**
 * Origins whose pages may read the responses. `any`: all origins, but only configured and local origins may send
 * credentials. A function returns true for allowed origins, which may also send credentials.
 */
export type CorsRule = 'any' | 'configured' | 'none' | ((origin: string) => boolean);

/** Method of an operation. The service also answers HEAD and OPTIONS. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * HTTP operation: an entry of the table for routing, OpenAPI, documentation and tests. Variables with an operation are
 * often called `row`.
 */
export interface Operation<A extends Auth = Auth, P = unknown, Q = unknown, B = unknown> {
  /** Verb and noun in camelCase; the `operationId` in OpenAPI. */
  readonly id: string;
  readonly method: Method;
  /** Path with `:param` segments; matches with and without a slash at its end. */
  readonly path: string;
  /** One or several policies. The first policy whose credentials are in the request is used. */
  readonly auth: A;
  /** Tag in OpenAPI. Describe your own tags in `createHeadwater({ tags })`. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: ZodType<P>;
  readonly query?: ZodType<Q>;
  /** Body: a schema for JSON, or `fieldsBody`, `bytesBody` or `partsBody`. */
  readonly body?: RowBody<B>;
  /** True for case-insensitive query names (OGC). */
  readonly foldQueryCase?: true;
  /** Query names whose repeated values are joined by commas (`subset` of WCS). */
  readonly joinedQuery?: readonly string[];
  /**
   * True if equal query texts may share one parsed query, which is cached. The handler must not change the parsed
   * query.
   */
  readonly cachesQueries?: true;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  readonly errors: readonly ErrorCode[];
  /** Format of errors; default: problem details. */
  readonly errorFormat?: ErrorFormat;
  /** Origins whose pages may read the responses. Default: `any` for public GETs, otherwise `configured`. */
  readonly cors?: CorsRule;
  /** True if responses contain tokens, and must not be cached. */
  readonly noStore?: true;
  /** True if requests are answered even while the service closes. The stores may already be closed. */
  readonly isAnsweredWhileClosing?: true;
  /** True if requests may use the reserved connections of a full server (`ServerLimits`). */
  readonly usesReserve?: true;
  /** True if the path contains a secret; logs then contain parameter names instead of values. */
  readonly secretPath?: true;
  readonly examples: readonly OperationExample[];
  /** Answers a request before its body is read; undefined if the handler must answer. */
  beforeBody?(input: Omit<OperationInput<A, P, Q, B>, 'body'>, deps: ServiceDeps): Promise<EarlyReply | undefined>;
  // A method: with a function property, TypeScript would refuse a table of operations with different inputs.
  handler(input: OperationInput<A, P, Q, B>, deps: ServiceDeps): Promise<Reply> | Reply;
}

/** Returns the operation unchanged, and derives the types of its handler. */
export function operation<const A extends Auth, P, Q, B>(row: Operation<A, P, Q, B>): Operation<A, P, Q, B> {
  return row;
}
