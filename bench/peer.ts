import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import { findPeers, peerEnvironment } from '../scripts/peers.mjs';

/** One line of a peer's `--json` output. */
export interface PeerLine {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly check?: unknown;
}

/** A peer that stays warm and times one round per call. */
export interface Peer {
  readonly names: readonly string[];
  round(name: string): Promise<PeerLine>;
  close(): void;
}

const NEXT_LINE_MS = 600_000;

async function nextLine(lines: AsyncIterator<string>, script: string): Promise<string> {
  const timeout = AbortSignal.timeout(NEXT_LINE_MS);
  const late = new Promise<never>((_, reject) => {
    timeout.addEventListener('abort', () => reject(new Error(`${script} gave no line within ${NEXT_LINE_MS / 1000} s`)));
  });
  const { value, done } = await Promise.race([lines.next(), late]);
  if (done) throw new Error(`${script} ended early`);
  return value;
}

/** Starts `script args --serve`; undefined with a printed reason where peers are absent. */
export async function startPeer(script: string, args: readonly string[]): Promise<Peer | undefined> {
  const found = findPeers();
  if (!('python' in found)) {
    console.log(`peer ${script} skipped: ${found.reason}`);
    return undefined;
  }
  const child: ChildProcessWithoutNullStreams = spawn(found.python, [`${found.folder}/${script}`, ...args, '--serve'], {
    env: peerEnvironment(),
  });
  child.stderr.pipe(process.stderr);
  const reader: Interface = createInterface({ input: child.stdout });
  const lines = reader[Symbol.asyncIterator]();
  const { ready } = JSON.parse(await nextLine(lines, script)) as { ready: string[] };
  return {
    names: ready,
    async round(name) {
      child.stdin.write(`${name}\n`);
      const line = JSON.parse(await nextLine(lines, script)) as PeerLine & { error?: string };
      if (line.error != null) throw new Error(`${script}: ${line.error}`);
      return line;
    },
    close() {
      child.kill();
    },
  };
}
