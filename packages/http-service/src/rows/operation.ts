import type { Auth, PrincipalOf } from '@headwater/identity';
import type { ErrorCode } from '@headwater/core';
import type { ZodType } from 'zod';
import type { ServiceDeps } from '../deps.ts';
import type { Reply } from '../seam/reply.ts';
import type { RowBody } from '../seam/row-body.ts';
import type { ServiceRequest } from '../seam/request.ts';
import type { ErrorFormat } from '../wire/wordings/index.ts';

/** Input of a handler, validated and typed. */
export interface OperationInput<A extends Auth, P, Q, B> {
  readonly principal: PrincipalOf<A>;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Upper case; HEAD only if the row's `GET` answers it. */
  readonly method: string;
  /** Path without query, leading slashes collapsed. */
  readonly path: string;
  /** The query as sent, without its question mark. */
  readonly queryText: string;
  readonly headers: ServiceRequest['headers'];
  readonly remoteAddress: string | undefined;
  readonly signal: AbortSignal;
  readonly requestId: string;
}

/** A response of a row: a zod schema for JSON, or the media types of other content. */
export interface ResponseSpec {
  readonly description: string;
  readonly schema?: ZodType;
  readonly media?: readonly string[];
}

/** A request that works on the example fixture; the conformance suite sends it through every adapter. */
export interface OperationExample {
  readonly name: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Expected status on the fixture. */
  readonly status: number;
}

/**
 * Origins that may read a row's responses. `any`: every origin; configured and local ones with credentials. `configured`: only configured
 * and local ones. `none`: no other origin. A function returns true for an origin that may read, with credentials.
 */
export type CorsRule = 'any' | 'configured' | 'none' | ((origin: string) => boolean);

/** Methods of rows; HEAD is derived from GET, OPTIONS from the path. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One HTTP operation: a row of the table that routing, OpenAPI, docs and tests loop over. */
export interface Operation<A extends Auth = Auth, P = unknown, Q = unknown, B = unknown> {
  /** camelCase verb and noun; `operationId` in OpenAPI. */
  readonly id: string;
  readonly method: Method;
  /** With `:param` segments; with a trailing slash if the documented path has one. Matched with and without it. */
  readonly path: string;
  /** One policy or several: the first one whose credentials the request has decides. */
  readonly auth: A;
  /** Any tag; describe your own in `createHeadwater({ tags })`. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: ZodType<P>;
  readonly query?: ZodType<Q>;
  /** A schema for JSON; `fieldsBody`, `bytesBody` or `partsBody` for other kinds and for limits. */
  readonly body?: RowBody<B>;
  /** Query names are case-insensitive (OGC key-value pairs). */
  readonly foldQueryCase?: true;
  /**
   * True if the result of `query` depends on the query text alone and the handler does not change it; it is then cached for equal queries.
   */
  readonly cachesQueries?: true;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  readonly errors: readonly ErrorCode[];
  /** Format of errors; default: problem details. */
  readonly errorFormat?: ErrorFormat;
  /** Origins that may read the responses; default: `any` for public GETs, otherwise `configured`. */
  readonly cors?: CorsRule;
  /**
   * True: responses must not be cached (tokens). Responses of rows with credentials are not cached either, unless the handler sets
   * `Cache-Control`.
   */
  readonly noStore?: true;
  /** True: requests are answered even while the service closes, when its stores may be closed already. Other rows refuse them then. */
  readonly isAnsweredWhileClosing?: true;
  /** True: requests are answered also on the reserved connections of a full server. */
  readonly usesReserve?: true;
  /** True if the path contains a secret: log lines then have the path of the row, with the names of its parameters. */
  readonly secretPath?: true;
  readonly examples: readonly OperationExample[];
  // A method, not a property, so that rows of every principal and schema fit into one table.
  handler(input: OperationInput<A, P, Q, B>, deps: ServiceDeps): Promise<Reply> | Reply;
}

/** Derives the types of a row's handler from its policy and schemas; returns the row unchanged. */
export function operation<const A extends Auth, P, Q, B>(row: Operation<A, P, Q, B>): Operation<A, P, Q, B> {
  return row;
}
