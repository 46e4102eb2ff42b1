import type { RequestListener } from 'node:http';

/** A test server on this machine that records its requests. */
export interface Loopback {
  readonly port: number;
  readonly origin: string;
  /** Method and path of each request. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** Listens on an address of this machine (default: 127.0.0.1, free port). */
export declare function listenOnLoopback(answer: RequestListener, host?: string, port?: number): Promise<Loopback>;
