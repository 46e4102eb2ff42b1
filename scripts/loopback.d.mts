import type { RequestListener } from 'node:http';

/** A test server on this machine that records the requests that reach it. */
export interface Loopback {
  readonly port: number;
  readonly origin: string;
  /** Method and path of each request so far. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** Listens on an address of this machine, by default 127.0.0.1. The default port 0 selects a free port. */
export declare function listenOnLoopback(answer: RequestListener, host?: string, port?: number): Promise<Loopback>;
