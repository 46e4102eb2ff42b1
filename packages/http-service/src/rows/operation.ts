import type { Auth, PrincipalOf } from '@headwater/identity';
import type { ErrorCode } from '@headwater/core';
import type { ZodType } from 'zod';
import type { ServiceDeps } from '../deps.ts';
import type { Reply } from '../seam/reply.ts';
import type { RowBody } from '../seam/row-body.ts';
import type { ServiceRequest } from '../seam/request.ts';
import type { ErrorFormat } from '../wire/wordings/index.ts';

/** What a handler gets: everything is checked and typed by then. */
export interface OperationInput<A extends Auth, P, Q, B> {
  readonly principal: PrincipalOf<A>;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Upper case; HEAD only where the row's `GET` answers it. */
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

/**
 * Which origins may read a row's answers. `any`: every origin, named and local ones with credentials; `configured`: only named
 * and local ones; `none`: no other origin; a function tells it of each origin, which then may send credentials.
 */
export type CorsRule = 'any' | 'configured' | 'none' | ((origin: string) => boolean);

/** Methods that rows may have; HEAD follows from GET, OPTIONS from the path. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One HTTP operation: a row of the table that routing, OpenAPI, docs and tests loop over. */
export interface Operation<A extends Auth = Auth, P = unknown, Q = unknown, B = unknown> {
  /** camelCase verb and noun; `operationId` in OpenAPI. */
  readonly id: string;
  readonly method: Method;
  /** `:param` form, trailing slash where the wire has one; matched with and without it. */
  readonly path: string;
  /** One policy or several: the first that finds its credentials decides. */
  readonly auth: A;
  /** Any word; describe those of your own in `createHeadwater({ tags })`. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: ZodType<P>;
  readonly query?: ZodType<Q>;
  /** A schema for JSON; `fieldsBody`, `bytesBody` or `partsBody` for other kinds and for limits. */
  readonly body?: RowBody<B>;
  /** Query names are compared in lower case (OGC key-value pairs). */
  readonly foldQueryCase?: true;
  /**
   * What `query` makes of a text depends on the text alone, and the handler does not change it: it is made once, and kept for those who
   * ask the same again.
   */
  readonly keepsQueries?: true;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  readonly errors: readonly ErrorCode[];
  /** How failures are worded; problem details where nothing else is named. */
  readonly errorFormat?: ErrorFormat;
  /** Which origins may read the answers; default: any for public GETs, else the configured ones. */
  readonly cors?: CorsRule;
  /** Answers must not be stored by anybody (tokens); those of rows behind credentials are not either, where no handler says how they may. */
  readonly noStore?: true;
  /** Requests are answered also while the service closes, perhaps with closed stores; others are refused then. */
  readonly isAnsweredToTheEnd?: true;
  /** The path holds a secret: log lines tell the row's own path, with its parameters' names. */
  readonly secretPath?: true;
  readonly examples: readonly OperationExample[];
  // A method, not a property: rows of every principal and schema fit into one table.
  handler(input: OperationInput<A, P, Q, B>, deps: ServiceDeps): Promise<Reply> | Reply;
}

/** Types a row's handler from its policy and schemas; returns the row unchanged. */
export function operation<const A extends Auth, P, Q, B>(row: Operation<A, P, Q, B>): Operation<A, P, Q, B> {
  return row;
}
