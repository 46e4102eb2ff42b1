import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { DomainError } from '@headwater/core/errors';
import type { Reply, WireError } from './serve.ts';

/** What a pool needs. */
interface PoolOptions {
  readonly url: URL;
  readonly workerData: unknown;
  readonly threads: number;
  /** Ends every thread at once; tasks under way reject with `cancelled`. */
  readonly signal: AbortSignal;
  /** Told what a worker waits for, null when it goes on. */
  readonly onNote?: (note: string | null) => void;
}

/** Threads used where the caller names none: the cores, at most 4. */
export function defaultThreads(): number {
  return Math.min(availableParallelism(), 4);
}

/** The file of a worker beside its importer: `.ts` when sources run, `.js` when built. */
export function workerUrl(name: string, importer: string): URL {
  return new URL(importer.endsWith('.ts') ? `./${name}.ts` : `./${name}.js`, importer);
}

interface Job<T, R> {
  readonly task: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: Error) => void;
}

/** A few threads of one module that answer one task at a time each. `close` must be called. */
export class WorkerPool<T, R> {
  readonly threads: number;
  readonly #workers = new Set<Worker>();
  readonly #idle: Worker[] = [];
  readonly #running = new Map<Worker, Job<T, R>>();
  readonly #queue: Job<T, R>[] = [];
  readonly #signal: AbortSignal;
  readonly #onAbort = (): void => void this.#stop(new DomainError('cancelled', 'the run was cancelled'));
  #failure: Error | null = null;

  constructor(options: PoolOptions) {
    this.threads = Math.max(1, Math.floor(options.threads));
    this.#signal = options.signal;
    for (let i = 0; i < this.threads; i++) this.#start(options);
    this.#signal.addEventListener('abort', this.#onAbort, { once: true });
    if (this.#signal.aborted) this.#onAbort();
  }

  /** Runs a task on the next free thread; rejects with the worker's error, or when the thread dies. */
  run(task: T): Promise<R> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) {
        reject(this.#failure);
        return;
      }
      this.#queue.push({ task, resolve, reject });
      this.#next();
    });
  }

  /** Ends all threads; tasks not finished reject. */
  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#onAbort);
    await this.#stop(new DomainError('cancelled', 'the pool was closed'));
  }

  #start({ url, workerData, onNote }: PoolOptions): void {
    const worker = new Worker(url, { workerData });
    this.#workers.add(worker);
    this.#idle.push(worker);
    worker.on('message', (reply: Reply<R>) => {
      if ('note' in reply) onNote?.(reply.note);
      else this.#answer(worker, reply);
    });
    worker.on('error', (error) => void this.#stop(crashed(error)));
    worker.on('exit', (code) => {
      this.#workers.delete(worker);
      if (this.#failure === null) void this.#stop(crashed(new Error(`exit code ${code}`)));
    });
  }

  #answer(worker: Worker, reply: Exclude<Reply<R>, { readonly note: unknown }>): void {
    const job = this.#running.get(worker);
    this.#running.delete(worker);
    this.#idle.push(worker);
    if (job !== undefined) {
      if ('error' in reply) job.reject(fromWire(reply.error));
      else job.resolve(reply.result);
    }
    this.#next();
  }

  #next(): void {
    while (this.#failure === null && this.#queue.length > 0) {
      const worker = this.#idle.pop();
      if (worker === undefined) return;
      const job = this.#queue.shift();
      if (job === undefined) return;
      this.#running.set(worker, job);
      worker.postMessage(job.task, []);
    }
  }

  async #stop(failure: Error): Promise<void> {
    this.#failure ??= failure;
    const jobs = [...this.#running.values(), ...this.#queue.splice(0)];
    this.#running.clear();
    for (const job of jobs) job.reject(this.#failure);
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
  }
}

function crashed(cause: unknown): DomainError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new DomainError('internal', `a worker thread stopped unexpectedly (${why}); its run can be started again`, {
    cause,
  });
}

/** Plain data -> error: a DomainError where it was one. */
function fromWire(wire: WireError): Error {
  if (wire.code !== undefined) return new DomainError(wire.code, wire.message, { details: wire.details ?? {} });
  const error = new Error(wire.message);
  if (wire.stack !== undefined) error.stack = wire.stack;
  return error;
}
