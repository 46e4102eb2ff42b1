import type { Service } from '@headwater/http-service';

/** A service and its path prefix at the host; '' is the root. */
export interface Mount {
  readonly service: Service;
  readonly prefix: string;
}

/** Options of a host with mounted services and own routes. */
export interface HostOptions {
  readonly mounts: readonly Mount[];
  /** True: parses bodies before the service, like hosts with a global parser. */
  readonly parseBefore?: boolean;
  /** True: trusts a proxy at 127.0.0.1 and its `X-Forwarded-For`. */
  readonly trustsProxy?: boolean;
}

/**
 * A listening host with routes `GET /host`, `POST /host/echo`, `GET /host/throws`. Its 404 handler responds with 418
 * and `host 404`.
 */
export interface RunningHost {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Stops listening and waits for open responses. */
  close(): Promise<void>;
}

/** An adapter under test, which mounts services in a listening host. */
export interface HttpTarget {
  readonly name: string;
  /** Reasons why cases do not apply, by title. */
  readonly skips: Readonly<Record<string, string>>;
  start(options: HostOptions): Promise<RunningHost>;
}

/** Bodies of the host's own handlers. */
export const HOST_TEXT = { notFound: 'host 404', failure: 'host failure' } as const;
