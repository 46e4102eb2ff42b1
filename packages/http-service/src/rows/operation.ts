import type { Auth, PrincipalOf } from '@headwater/identity';
import type { ErrorCode } from '@headwater/core';
import type { ZodType } from 'zod';
import type { ServiceDeps } from '../deps.ts';
import type { EarlyReply, Reply } from '../seam/reply.ts';
import type { RowBody } from '../seam/row-body.ts';
import type { ServiceRequest } from '../seam/request.ts';
import type { ErrorFormat } from '../wire/wordings/index.ts';

/** Input of a handler, validated and typed. */
export interface OperationInput<A extends Auth, P, Q, B> {
  readonly principal: PrincipalOf<A>;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Method in upper case. It is HEAD if the client sent HEAD to an operation with GET. */
  readonly method: string;
  /** Path without query; several slashes at its start are reduced to one. */
  readonly path: string;
  /** The query as sent, without its question mark. */
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

/** A response of an operation: a zod schema for JSON, or the media types of other content. */
export interface ResponseSpec {
  readonly description: string;
  readonly schema?: ZodType;
  readonly media?: readonly string[];
}

/** An example request. It works with the test data of `example-world.ts`; the conformance suite sends it through all adapters. */
export interface OperationExample {
  readonly name: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Expected status with this test data. */
  readonly status: number;
}

/**
 * Origins whose pages may read an operation's responses. `any`: all origins, but only configured and local origins may send
 * credentials. `configured`: only configured and local origins. `none`: no other origin. A function returns true for an origin
 * whose pages may read, with credentials.
 */
export type CorsRule = 'any' | 'configured' | 'none' | ((origin: string) => boolean);

/** Methods of operations. The service also answers HEAD (from GET) and OPTIONS. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One HTTP operation: an entry of the table that routing, OpenAPI, documentation and tests use. Variables with an operation are
 * often called `row`.
 */
export interface Operation<A extends Auth = Auth, P = unknown, Q = unknown, B = unknown> {
  /** Verb and noun in camelCase; it is the `operationId` in OpenAPI. */
  readonly id: string;
  readonly method: Method;
  /** Path with `:param` segments. It ends with a slash if the documented path does, but matches with and without this slash. */
  readonly path: string;
  /** One policy or several. Of several policies, the first policy whose credentials are in the request is used. */
  readonly auth: A;
  /** Tag of the operation in OpenAPI. Describe your own tags in `createHeadwater({ tags })`. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: ZodType<P>;
  readonly query?: ZodType<Q>;
  /** Body of the request: a schema for JSON; `fieldsBody`, `bytesBody` or `partsBody` for other kinds of bodies and for limits. */
  readonly body?: RowBody<B>;
  /** True if names in the query are case-insensitive (OGC key-value pairs). */
  readonly foldQueryCase?: true;
  /** Names that may be repeated in the query; their values are joined by commas (`subset` of WCS). */
  readonly joinedQuery?: readonly string[];
  /**
   * True if the parsed query depends only on the query text, and the handler does not change the parsed query. The parsed query is
   * then cached, and reused for equal texts.
   */
  readonly cachesQueries?: true;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  readonly errors: readonly ErrorCode[];
  /** Format of errors; default: problem details. */
  readonly errorFormat?: ErrorFormat;
  /** Origins that may read the responses; default: `any` for public GETs, otherwise `configured`. */
  readonly cors?: CorsRule;
  /**
   * True if responses must not be cached, because they contain tokens. Responses of operations with credentials are also not
   * cached, unless the handler sets `Cache-Control`.
   */
  readonly noStore?: true;
  /**
   * True if requests are answered even while the service closes and its stores may already be closed. Operations without this
   * member refuse requests in this time.
   */
  readonly isAnsweredWhileClosing?: true;
  /** True if requests are also answered on the reserved connections of a full server (see `ServerLimits`). */
  readonly usesReserve?: true;
  /**
   * True if the path contains a secret. Log lines then contain the path of the operation, with the names of parameters instead of their values.
   */
  readonly secretPath?: true;
  readonly examples: readonly OperationExample[];
  /**
   * Answers a request before its body is read. If this function returns undefined, the body is read, and the handler answers.
   */
  beforeBody?(input: Omit<OperationInput<A, P, Q, B>, 'body'>, deps: ServiceDeps): Promise<EarlyReply | undefined>;
  // Must be a method, not a property: TypeScript compares parameters of methods less strictly, so that operations with different
  // principals and schemas fit into one table.
  handler(input: OperationInput<A, P, Q, B>, deps: ServiceDeps): Promise<Reply> | Reply;
}

/**
 * Returns the operation unchanged. The call derives the types of the operation's handler from the operation's policy and schemas.
 */
export function operation<const A extends Auth, P, Q, B>(row: Operation<A, P, Q, B>): Operation<A, P, Q, B> {
  return row;
}
