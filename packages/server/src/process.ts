import { keepCompiledCode } from './compiled-code.ts';

/** What counts only from a process's first moment: the allocator of glibc and the heap read it once. */
export interface ProcessSettings {
  /** For `NODE_OPTIONS`: as arguments they would be refused by threads that are given the arguments of their process. */
  readonly options: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Memory goes back to the system when a job is done. Without them glibc gives each thread an arena of its own, keeps large buffers in
 * it once some were freed, and V8 keeps the young generation that a busy minute has needed: measured in `decisions/038`.
 */
export const PROCESS_SETTINGS: ProcessSettings = {
  options: '--max-semi-space-size=8',
  env: {
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '8388608',
    MALLOC_TRIM_THRESHOLD_: '131072',
  },
};

/** What of `process` decides about a start. */
export interface StartedProcess extends Pick<NodeJS.Process, 'platform' | 'env' | 'execPath' | 'execArgv' | 'argv'> {
  /** Undefined in Node 22 before 22.15, and on Windows. */
  readonly execve?: NodeJS.Process['execve'] | undefined;
}

/**
 * Starts this process over with `PROCESS_SETTINGS`, under the same id, before it has opened anything; does not return then. Does nothing
 * on other systems than Linux, where an operator has chosen one of the variables, under a debugger, and where a parent
 * talks to this process (a channel would be lost).
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

/** The environment with the settings; options of V8 that stand in it already come last, so they win. */
export function withProcessSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const options = [PROCESS_SETTINGS.options, env['NODE_OPTIONS'] ?? ''].join(' ').trim();
  return { ...env, ...PROCESS_SETTINGS.env, NODE_OPTIONS: options };
}

/** The first line of a service or worker that starts, as the logger will write the others; empty for the commands, which are quick. */
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
 * Prepares a process that will run a server, before it loads anything else: memory settings (which start it again under the same id), threads of libuv,
 * the cache of compiled modules, and the first line of its log, for loading the rest takes a second or two.
 */
export function prepareProcess(started: NodeJS.Process): void {
  applyProcessSettings(started);
  const { env, stdout } = started;
  // libuv makes its pool when it is first used. Of its four threads two hash passwords and some compress tiles, so that a file read
  // waited for a fifth of a second.
  env['UV_THREADPOOL_SIZE'] ??= '8';
  keepCompiledCode(env);
  stdout.write(openingLine(started.argv.slice(2), { isTTY: stdout.isTTY, now: new Date() }));
}
