import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { findPeers, peerEnvironment } from '../scripts/peers.mjs';
import type { PeerSide } from './contest.ts';
import { processCpu } from './cpu.ts';

/** One line of a peer's `--json` output. */
export interface PeerLine {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly check?: unknown;
}

/** A running process of a peer (a compared program) that measures one round per call. */
export interface Peer {
  readonly names: readonly string[];
  /** Checksums or totals of the peer's result by name; available after a round. */
  readonly checks: ReadonlyMap<string, unknown>;
  round(name: string): Promise<number>;
  /** Processor time of the process so far, s; null if unknown. */
  cpu(): number | null;
  close(): void;
}

/** Folder and Python of the peers, or the reason why the peers are missing. */
export type Found = { readonly folder: string; readonly python: string } | { readonly reason: string };

const NEXT_LINE_MS = 900_000;
const MODULES = ['numpy', 'numba', 'rasterio', 'exactextract', 'bottleneck', 'rasterstats', 'rio_cogeo'];

const found = new Map<string, Found>();

/** Finds the peers and a Python with these modules; the result is cached. */
export function peers(modules: readonly string[] = MODULES): Found {
  const cached = found.get(modules.join(','));
  if (cached !== undefined) return cached;
  const result = findPeers({ modules: [...modules] });
  found.set(modules.join(','), result);
  return result;
}

/** Reads the output of a child process by lines; throws if the process ends early or a timeout expires. */
export function lineReader(child: ChildProcessWithoutNullStreams, script: string): () => Promise<string> {
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async () => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`${script} printed no line within ${NEXT_LINE_MS / 1000} s`)),
        NEXT_LINE_MS,
      );
    });
    const next = await Promise.race([lines.next(), late]).finally(() => clearTimeout(timer));
    if (next.done === true) throw new Error(`${script} ended early`);
    return next.value;
  };
}

/** Starts `script args --serve` in a Python with `modules`. On failure, prints the reason and returns undefined. */
export async function startPeer(
  script: string,
  args: readonly string[],
  { modules, env = {} }: { readonly modules?: readonly string[]; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Peer | undefined> {
  const where = peers(modules);
  if ('reason' in where) {
    console.log(`peer ${script} skipped: ${where.reason}`);
    return undefined;
  }
  const child = spawn(where.python, [resolve(where.folder, script), ...args, '--json', '--serve'], {
    env: { ...peerEnvironment(), ...env },
  });
  child.stderr.pipe(process.stderr);
  try {
    const next = lineReader(child, script);
    const { ready } = JSON.parse(await next()) as { ready: string[] };
    return servedPeer({ script, child, next, names: ready });
  } catch (error) {
    child.kill();
    console.log(`peer ${script} skipped: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** Starts a case of `bench/pixels/pixel_peers.py`, which reports its speed per second of processor time. */
export function pixelPeer(name: string, ...args: readonly string[]): Promise<Peer | undefined> {
  return startPeer(resolve(import.meta.dirname, 'pixels', 'pixel_peers.py'), [name, ...args]);
}

interface Served {
  readonly script: string;
  readonly child: ChildProcessWithoutNullStreams;
  readonly next: () => Promise<string>;
  readonly names: readonly string[];
}

function servedPeer({ script, child, next, names }: Served): Peer {
  const checks = new Map<string, unknown>();
  return {
    names,
    checks,
    async round(name) {
      child.stdin.write(`${name}\n`);
      const line = JSON.parse(await next()) as PeerLine & { readonly error?: string };
      if (line.error !== undefined && line.error !== null) throw new Error(`${script}: ${line.error}`);
      checks.set(line.name, line.check);
      return line.value;
    },
    cpu: () => (child.pid === undefined ? null : processCpu(child.pid)),
    close: () => void child.kill(),
  };
}

/** Returns a list with one side: the case `name` of the peer. Empty if the peer or the case is missing. */
export function sideOf(
  peer: Peer | undefined,
  name: string,
  more: Pick<PeerSide, 'rule' | 'label' | 'bar'> = {},
): PeerSide[] {
  if (peer === undefined || !peer.names.includes(name)) return [];
  return [{ name, round: () => peer.round(name), cpu: () => peer.cpu(), ...more }];
}
