import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { childEnv } from '../scripts/child-env.mjs';
import { copyDatabase } from '../scripts/database-template.mjs';
import { copySample } from '../scripts/sample-template.mjs';
import { serverBundle } from '../scripts/server-bundle.mjs';

/** A running server, worker or command in a child process. */
export interface RunningProcess {
  readonly pid: number;
  hasEnded(): boolean;
  /** Returns all output so far, of stdout and stderr. */
  output(): string;
  /** Resolves when the output matches; rejects if the process ends or after `ms`. */
  printed(pattern: RegExp, ms: number): Promise<RegExpMatchArray>;
  /** Sends the signal and waits for the end of the process. */
  stop(signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly ms: number }>;
}

/** The reference server in a child process. */
export interface ServerProcess extends RunningProcess {
  readonly baseUrl: string;
  /** Time from the start to the first 200 of /api/health, ms. */
  readonly healthyAfterMs: number;
}

/** Options of the functions that start a process. */
export interface StartOptions {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Port to listen on; default: a free port. */
  readonly port?: number;
  /** If true, the server creates its database, which takes 16 s; default: a copy of a prepared database. */
  readonly makesDatabase?: boolean;
  /** If true, the server generates its sample, which takes 15 s; default: a copy of a prepared sample. */
  readonly makesSample?: boolean;
  readonly input?: string;
  /** Current folder of the process, with its `.env`; default: the root of the repository. */
  readonly cwd?: string;
}

const ROOT = resolve(import.meta.dirname, '..');
const HEALTH_MS = 90_000;

/** Returns a free port below the range from which the system assigns ports, so that no other process gets this port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Spawns a command of the server; does not wait for its output or its end. */
export async function spawnServer(
  { dataDir, env = {}, args = [], cwd = ROOT }: StartOptions,
  port: number,
): Promise<ChildProcess> {
  return spawn(process.execPath, ['--conditions=@headwater/source', await serverBundle(), ...args], {
    cwd,
    env: {
      ...childEnv(),
      DATA_DIR: dataDir,
      BACKEND_PORT: String(port),
      BACKEND_HOST: '127.0.0.1',
      ...env,
    },
  });
}

/** Runs a command to its end; returns its exit code and output. */
export async function runCommand(
  options: StartOptions,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = await spawnServer(options, await freePort());
  child.stdin?.end(options.input ?? '');
  const output = collect(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output.text };
}

/** Starts the server and waits until /api/health returns 200. Kills the server after a timeout. */
export async function startServerProcess(options: StartOptions): Promise<ServerProcess> {
  const port = options.port ?? (await freePort());
  await prepareFolder(options);
  const started = performance.now();
  const child = await spawnServer(options, port);
  const output = collect(child);
  const baseUrl = `http://localhost:${port}`;
  try {
    await healthy(baseUrl, child, output);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return { ...runningProcess(child, output), baseUrl, healthyAfterMs: performance.now() - started };
}

/** Starts a command such as a worker, without waiting until it is ready. */
export async function startCommand(options: StartOptions): Promise<RunningProcess> {
  const child = await spawnServer(options, await freePort());
  return runningProcess(child, collect(child));
}

async function prepareFolder({
  dataDir,
  env = {},
  args = [],
  makesDatabase = false,
  makesSample = false,
}: StartOptions): Promise<void> {
  const lacks = (name: string): boolean => !existsSync(join(dataDir, name));
  if (!makesDatabase && !('DB_HOST' in env) && lacks('db')) await copyDatabase(join(dataDir, 'db'));
  const hasSample = env['HEADWATER_SAMPLE'] !== 'off' && !args.includes('--no-sample');
  if (!makesSample && hasSample && !args.includes('--sample-size') && lacks('sample')) await copySample(dataDir);
}

function runningProcess(child: ChildProcess, output: Output): RunningProcess {
  return {
    pid: child.pid ?? -1,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    output: () => output.text,
    printed: (pattern, ms) => waitForText(child, output, { pattern, ms }),
    async stop(signal) {
      const from = performance.now();
      if (child.exitCode !== null || child.signalCode !== null) return { code: child.exitCode, ms: 0 };
      child.kill(signal);
      const [code] = (await once(child, 'exit')) as [number | null];
      return { code, ms: performance.now() - from };
    },
  };
}

interface Output {
  text: string;
  readonly listeners: Set<() => void>;
}

/** Collects the output that a process writes after this call. */
export function collect(child: ChildProcess): Output {
  const output: Output = { text: '', listeners: new Set() };
  const add = (chunk: Buffer): void => {
    output.text += chunk.toString('utf8');
    for (const listener of output.listeners) listener();
  };
  child.stdout?.on('data', add);
  child.stderr?.on('data', add);
  return output;
}

async function healthy(baseUrl: string, child: ChildProcess, output: Output): Promise<void> {
  const until = performance.now() + HEALTH_MS;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${output.text}`);
    const answer = await fetch(`${baseUrl}/api/health`).catch(() => undefined);
    if (answer?.status === 200) return;
    await new Promise((settle) => setTimeout(settle, 50));
  }
  throw new Error(`/api/health did not return 200 within ${HEALTH_MS / 1000} s:\n${output.text}`);
}

/** Resolves when the output matches; rejects if the process ends or after `ms`. */
export function waitForText(
  child: ChildProcess,
  output: Output,
  { pattern, ms }: { readonly pattern: RegExp; readonly ms: number },
): Promise<RegExpMatchArray> {
  const { promise, resolve: found, reject } = Promise.withResolvers<RegExpMatchArray>();
  const fail = (reason: string) => (): void =>
    reject(new Error(`${reason} before ${String(pattern)} was printed:\n${output.text}`));
  const check = (): void => {
    const match = output.text.match(pattern);
    if (match !== null) found(match);
  };
  const timer = setTimeout(fail(`${ms} ms passed`), ms);
  const ended = fail('the server ended');
  child.once('exit', ended);
  output.listeners.add(check);
  check();
  return promise.finally(() => {
    clearTimeout(timer);
    child.off('exit', ended);
    output.listeners.delete(check);
  });
}
