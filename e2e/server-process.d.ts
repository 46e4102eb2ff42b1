import { type ChildProcess } from 'node:child_process';
/** A server, worker or command in a process of its own, as an operator runs it. */
export interface RunningProcess {
  readonly pid: number;
  /** Everything printed so far, stdout and stderr. */
  output(): string;
  /** Resolves when the output matches; rejects when the process ends or `ms` pass first. */
  printed(pattern: RegExp, ms: number): Promise<RegExpMatchArray>;
  /** Sends the signal and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<{
    readonly code: number | null;
    readonly ms: number;
  }>;
}
/** The reference server. */
export interface ServerProcess extends RunningProcess {
  readonly baseUrl: string;
  /** Milliseconds from the start to the first answer of health. */
  readonly healthyAfterMs: number;
}
/** How a server is started. */
export interface StartOptions {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Default: a free one. */
  readonly port?: number;
  /** Lets the server make its embedded database itself, which takes 16 s of a processor; default: a new one is a copy. */
  readonly makesDatabase?: boolean;
  /** What a command reads from its standard input; default: nothing. */
  readonly input?: string;
}
/**
 * A port that was free a moment ago, below those that the system hands out by itself: the server takes it a second later, and what other
 * tests listen at or connect from meanwhile is never this one.
 */
export declare function freePort(): Promise<number>;
/** Spawns a command of the server; nothing is waited for. */
export declare function spawnServer({ dataDir, env, args }: StartOptions, port: number): ChildProcess;
/** Runs a command to its end and returns what it printed. */
export declare function runCommand(options: StartOptions): Promise<{
  readonly code: number | null;
  readonly output: string;
}>;
/** Starts the server and waits until health answers 200; one that never does is ended, so that it keeps no folder from the next. */
export declare function startServerProcess(options: StartOptions): Promise<ServerProcess>;
/** Starts a command that goes on until it is stopped, such as a worker; nothing is waited for. */
export declare function startCommand(options: StartOptions): Promise<RunningProcess>;
interface Output {
  text: string;
  readonly listeners: Set<() => void>;
}
/** What a process prints from now on. */
export declare function collect(child: ChildProcess): Output;
/** Resolves when the output matches; rejects when the process ends or `ms` pass first. */
export declare function waitForText(
  child: ChildProcess,
  output: Output,
  {
    pattern,
    ms,
  }: {
    readonly pattern: RegExp;
    readonly ms: number;
  },
): Promise<RegExpMatchArray>;
export {};
//# sourceMappingURL=server-process.d.ts.map
