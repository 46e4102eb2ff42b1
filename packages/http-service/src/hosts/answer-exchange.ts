import type { Service, ServiceResponse } from '../seam/request.ts';
import { type NodeExchange, nodeRequest } from './node-request.ts';

/** Functions with which an adapter responds. `T`: what the framework passes to handlers, such as its reply. */
export interface NodeResponder<T> {
  /** Sends a response. May throw, for example if Node refuses a header. */
  readonly send: (to: T, response: ServiceResponse) => void;
  /** Passes an unexpected error to the host. */
  readonly fail: (to: T, error: unknown) => void;
}

/**
 * Creates the function that answers requests of a Node framework. It sends synchronously if `execute` returns no
 * promise. If a response cannot be sent, its stream is cancelled and the host gets the error.
 */
export function createNodeAnswer<T>({
  send,
  fail,
}: NodeResponder<T>): (service: Pick<Service, 'execute'>, exchange: NodeExchange, to: T) => void {
  const sendOrFail = (to: T, response: ServiceResponse): void => {
    try {
      send(to, response);
    } catch (error) {
      if (response.body instanceof ReadableStream) response.body.cancel(error).catch(() => {});
      fail(to, error);
    }
  };
  return (service, exchange, to) => {
    let answered: ReturnType<Service['execute']>;
    try {
      answered = service.execute(nodeRequest(exchange));
    } catch (error) {
      fail(to, error);
      return;
    }
    if (answered instanceof Promise)
      answered.then(
        (response) => sendOrFail(to, response),
        (error: unknown) => fail(to, error),
      );
    else sendOrFail(to, answered);
  };
}
