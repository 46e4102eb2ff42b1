// Keep-alive load from a process of its own: each line `{port, request, status}`, with `count` or `ms`, on stdin is one round; answers
// requests/s, and how many connections failed.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

const CONNECTIONS = 16;
const HEAD_END = Buffer.from('\r\n\r\n');

interface Round {
  readonly port: number;
  /** One whole HTTP/1.1 request as text. */
  readonly request: string;
  /** Requests of the round; absent: as many as its time lets through. */
  readonly count?: number;
  /** How long requests are begun, where they are not counted. */
  readonly ms?: number;
  /** Connections, each of which asks again once it was answered. */
  readonly connections?: number;
  /** Status that every answer must have. */
  readonly status: number;
}

interface Shared {
  /** Requests not sent yet. */
  left: number;
  answered: number;
  /** No request is begun after this time. */
  readonly endsAt: number;
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
      if (shared.left === 0 || performance.now() >= shared.endsAt) {
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
        shared.answered += 1;
        next();
      } catch (error) {
        socket.destroy();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  const {
    port,
    request,
    status,
    count = Infinity,
    ms = Infinity,
    connections = CONNECTIONS,
  } = JSON.parse(line) as Round;
  const shared = {
    left: count,
    answered: 0,
    endsAt: performance.now() + ms,
    request: Buffer.from(request),
    status: `HTTP/1.1 ${status} `,
  };
  // Never asleep during a round: waking a sleeping reader costs the server that writes to it more than most of its own work,
  // and only a server slower than this load would pay for it.
  let busy = true;
  const spin = (): void => {
    if (busy) setImmediate(spin);
  };
  spin();
  const start = performance.now();
  const ends = await Promise.allSettled(Array.from({ length: connections }, () => drive(port, shared)));
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
  if (failures.length > 0) process.stderr.write(`load: ${[...new Set(failures)].slice(0, 5).join('; ')}\n`);
  busy = false;
  const perSecond = (1000 * shared.answered) / (performance.now() - start);
  process.stdout.write(`${JSON.stringify({ perSecond, errors: failures.length })}\n`);
}
