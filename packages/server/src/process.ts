import { keepCompiledCode } from './compiled-code.ts';

/** Settings of glibc and V8 that a process reads only at its start. */
export interface ProcessSettings {
  /**
   * Value of `NODE_OPTIONS`. These options cannot be command-line arguments, because threads inherit and refuse such
   * arguments.
   */
  readonly options: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Settings that return freed memory to the system after a run (decision 038). */
export const PROCESS_SETTINGS: ProcessSettings = {
  options: '--max-semi-space-size=8',
  env: {
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '8388608',
    MALLOC_TRIM_THRESHOLD_: '131072',
  },
};

/** Members of `process` that a restart needs. */
export interface StartedProcess extends Pick<NodeJS.Process, 'platform' | 'env' | 'execPath' | 'execArgv' | 'argv'> {
  /** Replaces the process by another program. Undefined before Node 22.15 and on Windows. */
  readonly execve?: NodeJS.Process['execve'] | undefined;
}

/**
 * Restarts this process with `PROCESS_SETTINGS` and the same process id. Call this function before files or
 * connections are open. Does nothing outside of Linux, without `execve`, under a debugger, or with a channel to a
 * parent process. Does nothing if an environment variable of `PROCESS_SETTINGS` is already set.
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

/** Adds the settings to an environment. V8 options of the operator come last, because the last option applies. */
export function withProcessSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const options = [PROCESS_SETTINGS.options, env['NODE_OPTIONS'] ?? ''].join(' ').trim();
  return { ...env, ...PROCESS_SETTINGS.env, NODE_OPTIONS: options };
}

/** First log line of a service or worker; empty for other commands. */
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

/** Prepares a server process: memory settings, libuv threads, compile cache and first log line. */
export function prepareProcess(started: NodeJS.Process): void {
  applyProcessSettings(started);
  const { env, stdout } = started;
  // libuv reads this variable at first use. The default of four threads delayed file reads.
  env['UV_THREADPOOL_SIZE'] ??= '8';
  keepCompiledCode(env);
  stdout.write(openingLine(started.argv.slice(2), { isTTY: stdout.isTTY, now: new Date() }));
}
