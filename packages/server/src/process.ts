import { keepCompiledCode } from './compiled-code.ts';

/** Settings of glibc's allocator and of the heap, which are read only when a process starts. */
export interface ProcessSettings {
  /**
   * Value for `NODE_OPTIONS`. The options cannot be arguments of the process: threads inherit its arguments and would refuse these options.
   */
  readonly options: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Settings with which freed memory is returned to the system after a run. Without these settings, glibc gives each thread an arena of its
 * own and keeps large freed buffers in this arena, and V8 keeps its young generation as large as it was under the highest load (measured in
 * `decisions/038`).
 */
export const PROCESS_SETTINGS: ProcessSettings = {
  options: '--max-semi-space-size=8',
  env: {
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '8388608',
    MALLOC_TRIM_THRESHOLD_: '131072',
  },
};

/** Members of `process` that are needed to decide about a restart and to execute it. */
export interface StartedProcess extends Pick<NodeJS.Process, 'platform' | 'env' | 'execPath' | 'execArgv' | 'argv'> {
  /** Replaces the process by another program. Undefined in Node 22 before 22.15, and on Windows. */
  readonly execve?: NodeJS.Process['execve'] | undefined;
}

/**
 * Restarts this process with `PROCESS_SETTINGS` under the same process id. Call it before the process has opened files or connections. If
 * the process is restarted, this call does not return. Does nothing on systems other than Linux, under a debugger, or if the operator has
 * already set one of the variables of these settings. Also does nothing if there is a channel to a parent process, because the restart
 * would close the channel.
 */
export function applyProcessSettings(started: StartedProcess): void {
  const { env } = started;
  const isChosen = Object.keys(PROCESS_SETTINGS.env).some((name) => env[name] !== undefined);
  const isWatched =
    env['NODE_CHANNEL_FD'] !== undefined || started.execArgv.some((flag) => flag.startsWith('--inspect'));
  if (started.platform !== 'linux' || started.execve === undefined || isChosen || isWatched) return;
  const args = [started.execPath, ...started.execArgv, ...started.argv.slice(1)];
  started.execve(started.execPath, args, withProcessSettings(env));
}

/** The environment with the settings added. Existing V8 options come last, so they take precedence. */
export function withProcessSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const options = [PROCESS_SETTINGS.options, env['NODE_OPTIONS'] ?? ''].join(' ').trim();
  return { ...env, ...PROCESS_SETTINGS.env, NODE_OPTIONS: options };
}

/** First log line of a starting service or worker, in the logger's format; empty for other commands, which start quickly. */
export function openingLine(
  args: readonly string[],
  { isTTY, now }: { readonly isTTY: boolean; readonly now: Date },
): string {
  const [command = 'serve'] = args;
  const serves = command === 'serve' || command.startsWith('--');
  if ((!serves && command !== 'worker') || args.includes('--help')) return '';
  const msg = serves ? 'Headwater is starting' : 'The worker is starting';
  const line = { level: 'info', time: now.toISOString(), service: 'headwater', msg };
  return isTTY ? `${now.toTimeString().slice(0, 8)} ${line.msg}\n` : `${JSON.stringify(line)}\n`;
}

/**
 * Prepares a process that will run a server, before it loads other modules. Applies the memory settings, which restarts the process under
 * the same process id. Sets the number of libuv threads, and enables the cache of compiled modules. Prints the first log line early,
 * because loading the modules takes a second or two.
 */
export function prepareProcess(started: NodeJS.Process): void {
  applyProcessSettings(started);
  const { env, stdout } = started;
  // libuv creates its thread pool on first use, so the number of threads is set here. With the default of four threads, password hashing
  // (two threads) and the compression of tiles delayed file reads by 200 ms.
  env['UV_THREADPOOL_SIZE'] ??= '8';
  keepCompiledCode(env);
  stdout.write(openingLine(started.argv.slice(2), { isTTY: stdout.isTTY, now: new Date() }));
}
