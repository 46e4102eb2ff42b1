import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { BUILDAH, buildah, IMAGE } from '../../scripts/image-base.mjs';
import { collect, freePort } from '../server-process.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const HEALTH_MS = 180_000;
/** User id and group id of the image. */
export const USER = 10001;

/** Configuration of an image, as `buildah inspect` prints it. */
export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Healthcheck?: { readonly Test: readonly string[] };
}

/** A running container. */
export interface Contained {
  readonly baseUrl: string;
  output(): string;
  /** Process id on the host. */
  pid(): number;
  /** Resolves when /api/health returns 200. */
  healthy(): Promise<void>;
  /** Resolves to the exit code at the end of the container. */
  ended(): Promise<{ readonly code: number | null }>;
  /** Sends the signal; resolves to exit code and duration. */
  stop(signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly ms: number }>;
}

/** A container of the image, with its mounted folders. */
export interface Container {
  readonly config: ImageConfig;
  /** Size of all files of the image, bytes. */
  readonly size: number;
  /** Root of the container's file system on the host. */
  readonly root: string;
  readonly code: string;
  /** Folder that is mounted at /app/data. */
  readonly data: string;
  /** Starts the image's entry point, with an optional folder mounted read-only at /app. */
  run(args: readonly string[], options?: RunOptions): Promise<Contained>;
  /** Starts the image's entry point with a read-only root file system, like `docker run --read-only`. */
  runReadOnly(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Contained>;
  remove(): void;
}

interface RunOptions {
  readonly code?: string;
  readonly env?: Readonly<Record<string, string>>;
}

function copyCode(folder: string): void {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const file of files.split('\0')) {
    if (!/^(packages|examples)\/|^[^/]+\.json$|^VERSION$/.test(file) || !existsSync(join(ROOT, file))) continue;
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  for (const mount of ['data', 'models']) mkdirSync(join(folder, mount));
}

/** Creates a container of the image of `npm run test:images`. */
export function openContainer(): Container {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-container-'));
  // Only the owner can open a folder of `mkdtempSync`, but the image's user must open its subfolders.
  execFileSync('chmod', ['755', folder]);
  const [code, data] = [join(folder, 'code'), join(folder, 'data')];
  copyCode(code);
  mkdirSync(data);
  chownSync(data, USER, USER);
  const name = buildah('from', IMAGE);
  const root = buildah('mount', name);
  const { Docker } = JSON.parse(buildah('inspect', name)) as { Docker: { config: ImageConfig } };
  const { config } = Docker;
  const listed = JSON.parse(buildah('images', '--json', IMAGE)) as readonly [{ readonly size: string }];
  let runs = 0;
  return {
    config,
    size: bytesOf(listed[0].size),
    root,
    code,
    data,
    async run(args, options = {}) {
      const port = await freePort();
      const env = { BACKEND_PORT: String(port), MAPSERVER_PORT: '0', ...options.env };
      const mounts = options.code === undefined ? [] : ['--volume', `${options.code}:/app:ro`];
      if (options.code === code) mounts.push('--volume', `${data}:/app/data`);
      const variables = Object.entries(env).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]);
      // Output is written to a file, because `buildah run` loses the last output of a short process.
      const log = `/tmp/output-${(runs += 1)}`;
      const command = ['sh', '-c', `exec "$@" >${log} 2>&1`, 'sh', ...config.Entrypoint, ...args];
      const all = ['run', '--isolation', 'chroot', ...mounts, ...variables, name, '--', ...command];
      const child = spawn(BUILDAH[0], [...BUILDAH.slice(1), ...all], { stdio: 'ignore' });
      const output = (): string => (existsSync(join(root, log)) ? readFileSync(join(root, log), 'utf8') : '');
      return containedIn(child, port, output);
    },
    async runReadOnly(args, env) {
      const port = await freePort();
      const variables = [
        ...config.Env,
        ...Object.entries({ BACKEND_PORT: port, MAPSERVER_PORT: 0, ...env }).map((each) => each.join('=')),
      ];
      const script = `set -e
        mount --make-rprivate / && mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"
        mount -t tmpfs tmpfs "$1/tmp" && mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev"
        mount --bind "$2" "$1/app" && mount -o remount,bind,ro "$1/app" && mount --bind "$3" "$1/app/data"
        root=$1; shift 3
        exec chroot --userspec=${USER}:${USER} "$root" /usr/bin/env -i "$@"`;
      const command = [root, code, data, ...variables, ...config.Entrypoint, ...args];
      const child = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', ...command]);
      const output = collect(child);
      return containedIn(child, port, () => output.text);
    },
    remove() {
      buildah('rm', name);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function bytesOf(size: string): number {
  const [, value = '', unit = ''] = /^([\d.]+) ?([kKMG]?)B$/.exec(size) ?? [];
  return Number(value) * ({ k: 1e3, K: 1e3, M: 1e6, G: 1e9 }[unit] ?? 1);
}

function containedIn(child: ChildProcess, port: number, output: () => string): Contained {
  const ended = once(child, 'close') as Promise<[number | null]>;
  const baseUrl = `http://localhost:${port}`;
  const pid = (): number => {
    const found = firstOfUser(child.pid ?? -1);
    if (found === undefined) throw new Error(`the container has no process of user ${USER}:\n${output()}`);
    return found;
  };
  return {
    baseUrl,
    output,
    pid,
    async healthy() {
      const until = performance.now() + HEALTH_MS;
      while (performance.now() < until) {
        if (child.exitCode !== null) throw new Error(`the container ended with ${child.exitCode}:\n${output()}`);
        const answer = await fetch(`${baseUrl}/api/health`).catch(() => undefined);
        await answer?.body?.cancel();
        if (answer?.status === 200) return;
        await new Promise((settle) => {
          setTimeout(settle, 100);
        });
      }
      throw new Error(`the container was not healthy after ${HEALTH_MS / 1000} s:\n${output()}`);
    },
    ended: async () => ({ code: (await ended)[0] }),
    async stop(signal) {
      const from = performance.now();
      if (child.exitCode === null) process.kill(pid(), signal);
      const [code] = await ended;
      return { code, ms: performance.now() - from };
    },
  };
}

function firstOfUser(root: number): number | undefined {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = /^PPid:\s+(\d+)/m.exec(statusOf(Number(name)))?.[1];
    if (parent !== undefined) children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(name)]);
  }
  for (const queue = [root]; queue.length > 0;) {
    const [pid = -1] = queue.splice(0, 1);
    // A process of buildah, above the process of the image, may have the same user.
    if (uidOf(pid) === USER && !nameOf(pid).startsWith('buildah')) return pid;
    queue.push(...(children.get(pid) ?? []));
  }
  return undefined;
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** User id of a process; undefined if the process has ended. */
export function uidOf(pid: number): number | undefined {
  const uid = /^Uid:\s+(\d+)/m.exec(statusOf(pid))?.[1];
  return uid === undefined ? undefined : Number(uid);
}
