import type { Auth } from '@headwater/identity';
import type { OperationInput } from '../rows/operation.ts';
import type { ServiceRequest } from '../seam/request.ts';

/** What `CallInput` is made of. */
export interface CallParts {
  readonly request: ServiceRequest;
  readonly principal: unknown;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly path: string;
  readonly queryText: string;
  readonly requestId: string;
}

/** A handler's input that asks for the abort signal only when the handler does: adapters make it late. */
export class CallInput implements OperationInput<Auth, unknown, unknown, unknown> {
  readonly principal: unknown;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly method: string;
  readonly path: string;
  readonly queryText: string;
  readonly headers: ServiceRequest['headers'];
  readonly remoteAddress: string | undefined;
  readonly requestId: string;
  readonly #request: ServiceRequest;

  constructor({ request, principal, params, query, body, path, queryText, requestId }: CallParts) {
    this.principal = principal;
    this.params = params;
    this.query = query;
    this.body = body;
    this.method = request.method;
    this.path = path;
    this.queryText = queryText;
    this.headers = request.headers;
    this.remoteAddress = request.remoteAddress;
    this.requestId = requestId;
    this.#request = request;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}
