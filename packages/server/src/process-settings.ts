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
