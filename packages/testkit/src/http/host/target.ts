import type { Service } from '@headwater/http-service';

/** A service, and the path prefix at the host ('' is the root). */
export interface Mount {
  readonly service: Service;
  readonly prefix: string;
}

/** Options of a host with mounted services and own routes. */
export interface HostOptions {
  readonly mounts: readonly Mount[];
  /** True: the host parses bodies before the service. */
  readonly parseBefore?: boolean;
  /** True: the host trusts `X-Forwarded-For` of a proxy at 127.0.0.1. */
  readonly trustsProxy?: boolean;
}

/**
 * A listening host with the routes `GET /host`, `POST /host/echo` and `GET /host/throws`. Its 404 handler responds with
 * status 418.
 */
export interface RunningHost {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Stops listening and waits for open responses. */
  close(): Promise<void>;
}

/** An adapter under test, which mounts services in a host. */
export interface HttpTarget {
  readonly name: string;
  /** Reasons why cases do not apply, by title. */
  readonly skips: Readonly<Record<string, string>>;
  start(options: HostOptions): Promise<RunningHost>;
}

/** Bodies of the host's own handlers. */
export const HOST_TEXT = { notFound: 'host 404', failure: 'host failure' } as const;
