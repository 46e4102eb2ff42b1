import type { Service } from '@headwater/http-service';

/** A service and the path prefix at which the host mounts it; '' is the root. */
export interface Mount {
  readonly service: Service;
  readonly prefix: string;
}

/** Options of a host server: mounted services next to its own routes. */
export interface HostOptions {
  readonly mounts: readonly Mount[];
  /** True to parse bodies before the service reads them, as hosts with a global parser do. */
  readonly parseBefore?: boolean;
  /** True to trust a proxy at 127.0.0.1, whose `X-Forwarded-For` then gives the client's address. */
  readonly trustsProxy?: boolean;
}

/** A listening host. Its own routes: `GET /host`, `POST /host/echo`, `GET /host/throws`; its 404 is 418 `host 404`. */
export interface RunningHost {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Stops listening and waits for open responses. */
  close(): Promise<void>;
}

/** An adapter under test, mounted in a real host on its own port. */
export interface HttpTarget {
  readonly name: string;
  /** Titles of cases that do not apply -> the reason, which is printed. */
  readonly skips: Readonly<Record<string, string>>;
  start(options: HostOptions): Promise<RunningHost>;
}

/** Bodies of the hosts' own 404 and error handlers. */
export const HOST_TEXT = { notFound: 'host 404', failure: 'host failure' } as const;
