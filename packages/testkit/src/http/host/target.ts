import type { Service } from '@headwater/http-service';

/** A service, and the path prefix at which the host mounts it. The prefix '' is the root. */
export interface Mount {
  readonly service: Service;
  readonly prefix: string;
}

/** Options of a host server that has mounted services in addition to its own routes. */
export interface HostOptions {
  readonly mounts: readonly Mount[];
  /** True to parse bodies before the service reads them, as hosts with a global parser do. */
  readonly parseBefore?: boolean;
  /** True if the host trusts a proxy at 127.0.0.1. The header `X-Forwarded-For` then contains the client's address. */
  readonly trustsProxy?: boolean;
}

/**
 * A listening host. Its own routes are `GET /host`, `POST /host/echo` and `GET /host/throws`. Its own 404 handler
 * responds with status 418 and `host 404`.
 */
export interface RunningHost {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Stops listening and waits until open responses have ended. */
  close(): Promise<void>;
}

/** An adapter under test, with a function that mounts services by this adapter in a real host on a port. */
export interface HttpTarget {
  readonly name: string;
  /**
   * Reasons why test cases do not apply to this adapter, by the title of the case. The reason is appended to the title.
   */
  readonly skips: Readonly<Record<string, string>>;
  start(options: HostOptions): Promise<RunningHost>;
}

/** Bodies that the host's own 404 and error handlers send. */
export const HOST_TEXT = { notFound: 'host 404', failure: 'host failure' } as const;
