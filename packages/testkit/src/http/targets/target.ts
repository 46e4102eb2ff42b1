import type { Service } from '@headwater/http-service';

/** A service and where the host mounts it; '' = at the root. */
export interface Mount {
  readonly service: Service;
  readonly prefix: string;
}

/** A host server: its own routes beside mounted services. */
export interface HostOptions {
  readonly mounts: readonly Mount[];
  /** Parse JSON bodies before the service sees them, as hosts with a global parser do. */
  readonly parseBefore?: boolean;
}

/** A listening host. Its own routes: `GET /host`, `POST /host/echo`, `GET /host/throws`; its 404 is 418 `host 404`. */
export interface RunningHost {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Stops listening and waits for open answers. */
  close(): Promise<void>;
}

/** An adapter under test, mounted in a real host on a port of its own. */
export interface HttpTarget {
  readonly name: string;
  /** Cases that do not apply, each with the reason that is printed. */
  readonly skips: Readonly<Record<string, string>>;
  start(options: HostOptions): Promise<RunningHost>;
}

/** Text that the hosts' own 404 and error handlers answer with. */
export const HOST_TEXT = { notFound: 'host 404', failure: 'host failure' } as const;
