import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { DomainError, messageOf } from '@headwater/core/errors';
import type { OnWait } from '@headwater/net';
import type { TaskOutcome, WireError, WorkerMessage, WorkerOrder } from './serve.ts';
import type { SpareThreads } from './spare-threads.ts';

/** Options of a guarded pool. If a thread dies or is blocked, only its task fails, and the thread is replaced. */
interface Guard<T> {
  /** Maximum time without an idle moment of the thread, ms. */
  readonly busyMs: number;
  /** Creates the error of a task whose thread has ended. */
  readonly blame: (task: T, why: string) => Error;
}

/**
 * Size of a thread's heap for new objects, MB. The usual 48 MB would waste memory, because pixels are outside of this
 * heap.
 */
const YOUNG_MB = 8;

interface PoolOptions<T> {
  readonly url: URL;
  readonly workerData: unknown;
  readonly threads: number;
  /** Ends all threads immediately; running and waiting tasks reject with `cancelled`. */
  readonly signal: AbortSignal;
  /** Called with a note on what a worker waits for, and with null when the worker continues. */
  readonly onNote?: OnWait;
  /** Called with the done share of a task, 0-1. */
  readonly onShare?: (share: number) => void;
  /** Without a guard, the death of a thread ends the pool. */
  readonly guard?: Guard<T>;
  /**
   * Idle threads of earlier pools. This pool uses them and adds its own. Handlers of the module must have a `close`, or
   * nothing to close.
   */
  readonly spare?: SpareThreads | undefined;
}

/** Default number of threads: one per core, at most 4. */
export function defaultThreads(): number {
  return Math.min(availableParallelism(), 4);
}

interface Assignment<T, R> {
  readonly task: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: Error) => void;
  watch?: NodeJS.Timeout;
  overdue?: string;
}

/** Threads that run one module, each with one task at a time. The caller must call `close`. */
export class WorkerPool<T, R> {
  readonly threads: number;
  readonly #workers = new Set<Worker>();
  readonly #idle: Worker[] = [];
  readonly #ready = new WeakSet<Worker>();
  readonly #running = new Map<Worker, Assignment<T, R>>();
  readonly #queue: Assignment<T, R>[] = [];
  readonly #signal: AbortSignal;
  readonly #options: PoolOptions<T>;
  readonly #onAbort = (): void => void this.#stop(new DomainError('cancelled', 'the run was cancelled'));
  #failure: Error | null = null;

  constructor(options: PoolOptions<T>) {
    this.threads = Math.max(1, Math.floor(options.threads));
    this.#signal = options.signal;
    this.#options = options;
    for (let i = 0; i < this.threads; i++) this.#start();
    this.#signal.addEventListener('abort', this.#onAbort, { once: true });
    if (this.#signal.aborted) this.#onAbort();
  }

  /** Runs a task in the next free thread. Rejects with the error of the worker, or if the thread dies. */
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

  /** Closes the pool; unfinished tasks reject. With `spare`, idle threads are kept for the next pool. */
  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#onAbort);
    await this.#keepIdle();
    await this.#stop(new DomainError('cancelled', 'the pool was closed'));
  }

  async #keepIdle(): Promise<void> {
    const { url, spare } = this.#options;
    if (spare === undefined || this.#failure !== null) return;
    const idle = this.#idle.splice(0).filter((worker) => this.#ready.has(worker));
    for (const worker of idle) this.#workers.delete(worker);
    await Promise.all(idle.map((worker) => spare.keep(url, worker)));
  }

  #start(): void {
    const { url, workerData, onNote, onShare, spare } = this.#options;
    const kept = spare?.take(url);
    const worker = kept ?? new Worker(url, { workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    if (kept !== undefined) {
      this.#ready.add(kept);
      this.#send(kept, { begin: workerData });
    }
    this.#workers.add(worker);
    this.#idle.push(worker);
    let why: unknown;
    worker.on('message', (message: WorkerMessage<R>) => {
      if ('note' in message) onNote?.(message.note, message.line);
      else if ('share' in message) onShare?.(message.share);
      else if ('ready' in message) this.#loaded(worker);
      else this.#settle(worker, message);
    });
    worker.on('error', (error) => void (why = error));
    worker.on('exit', (code) => {
      this.#workers.delete(worker);
      if (this.#failure === null) this.#lose(worker, why ?? new Error(`exit code ${code}`));
    });
  }

  /** Handles the end of a thread. With a guard, only its task fails. Without a guard or a task, the whole pool ends. */
  #lose(worker: Worker, cause: unknown): void {
    const { guard } = this.#options;
    const assignment = this.#running.get(worker);
    if (guard === undefined || assignment === undefined) {
      void this.#stop(crashed(cause));
      return;
    }
    clearTimeout(assignment.watch);
    this.#running.delete(worker);
    assignment.reject(guard.blame(assignment.task, assignment.overdue ?? messageOf(cause)));
    this.#start();
    this.#next();
  }

  /**
   * Begins to watch a thread that has loaded its module. Loading has no time limit, because it may take long on a busy
   * machine.
   */
  #loaded(worker: Worker): void {
    this.#ready.add(worker);
    this.#watch(worker);
  }

  #watch(worker: Worker): void {
    const { guard } = this.#options;
    const assignment = this.#running.get(worker);
    if (guard !== undefined && assignment !== undefined && this.#ready.has(worker))
      this.#watchAssignment(worker, assignment, guard.busyMs);
  }

  /** Terminates a thread whose event loop had no idle moment for `busyMs`. A waiting thread is idle. */
  #watchAssignment(worker: Worker, assignment: Assignment<T, R>, busyMs: number): void {
    const since = worker.performance.eventLoopUtilization();
    assignment.watch = setTimeout(() => {
      const { idle } = worker.performance.eventLoopUtilization(since);
      if (idle > 0) {
        this.#watchAssignment(worker, assignment, busyMs);
        return;
      }
      assignment.overdue = `it kept a thread busy for ${busyMs / 1000} s`;
      void worker.terminate();
    }, busyMs);
  }

  #settle(worker: Worker, outcome: TaskOutcome<R>): void {
    const assignment = this.#running.get(worker);
    this.#running.delete(worker);
    this.#idle.push(worker);
    if (assignment !== undefined) {
      clearTimeout(assignment.watch);
      if ('error' in outcome) assignment.reject(fromWire(outcome.error));
      else assignment.resolve(outcome.result);
    }
    this.#next();
  }

  #next(): void {
    while (this.#failure === null && this.#queue.length > 0) {
      const worker = this.#idle.pop();
      if (worker === undefined) return;
      const assignment = this.#queue.shift();
      if (assignment === undefined) return;
      this.#running.set(worker, assignment);
      this.#watch(worker);
      this.#send(worker, { task: assignment.task });
    }
  }

  #send(worker: Worker, order: WorkerOrder<T>): void {
    worker.postMessage(order, []);
  }

  async #stop(failure: Error): Promise<void> {
    this.#failure ??= failure;
    const assignments = [...this.#running.values(), ...this.#queue.splice(0)];
    this.#running.clear();
    for (const assignment of assignments) {
      clearTimeout(assignment.watch);
      assignment.reject(this.#failure);
    }
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
  }
}

function crashed(cause: unknown): DomainError {
  return new DomainError(
    'internal',
    `a worker thread stopped unexpectedly (${messageOf(cause)}); the run can be started again`,
    {
      cause,
    },
  );
}

function fromWire(wire: WireError): Error {
  if (wire.code !== undefined) return new DomainError(wire.code, wire.message, { details: wire.details ?? {} });
  const error = new Error(wire.message);
  if (wire.stack !== undefined) error.stack = wire.stack;
  return error;
}
