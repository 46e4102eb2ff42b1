// Keep-alive load from a process of its own: each line `{port, request, count, status}` on stdin is one round; answers requests/s.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

const CONNECTIONS = 16;
const HEAD_END = Buffer.from('\r\n\r\n');

interface Round {
  readonly port: number;
  /** One whole HTTP/1.1 request as text. */
  readonly request: string;
  readonly count: number;
  /** Status that every answer must have. */
  readonly status: number;
}

interface Shared {
  /** Requests not sent yet. */
  left: number;
  readonly request: Buffer;
  readonly status: string;
}

/** Bytes of the answer at the front of `data`, 0 where it is not whole yet; throws for another status or no length. */
function answerBytes(data: Buffer, status: string): number {
  const end = data.indexOf(HEAD_END);
  if (end < 0) return 0;
  const head = data.toString('latin1', 0, end);
  if (!head.startsWith(status)) throw new Error(`unexpected answer: ${head.split('\r\n', 1)[0]}`);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error('answer without content-length');
  const total = end + HEAD_END.length + Number(length);
  return data.length < total ? 0 : total;
}

/** Sends one request after the other (no pipelining) until none is left. */
function drive(port: number, shared: Shared): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let pending: Buffer = Buffer.alloc(0);
    const next = (): void => {
      if (shared.left === 0) {
        socket.destroy();
        resolve();
        return;
      }
      shared.left -= 1;
      socket.write(shared.request);
    };
    socket.once('connect', next);
    socket.once('error', reject);
    socket.once('end', () => reject(new Error('the server closed a connection')));
    socket.on('data', (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      try {
        const bytes = answerBytes(pending, shared.status);
        if (bytes === 0) return;
        if (pending.length !== bytes) throw new Error('more bytes than one answer');
        pending = Buffer.alloc(0);
        next();
      } catch (error) {
        socket.destroy();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  const { port, request, count, status } = JSON.parse(line) as Round;
  const shared = { left: count, request: Buffer.from(request), status: `HTTP/1.1 ${status} ` };
  // Never asleep during a round: waking a sleeping reader costs the server that writes to it more than most of its own work,
  // and only a server slower than this load would pay for it.
  let busy = true;
  const spin = (): void => {
    if (busy) setImmediate(spin);
  };
  spin();
  const start = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, () => drive(port, shared)));
  busy = false;
  process.stdout.write(`${JSON.stringify({ perSecond: (1000 * count) / (performance.now() - start) })}\n`);
}
