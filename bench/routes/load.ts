// Child process that sends requests. Each line `{port, request, status}` on stdin starts a round; prints requests/s and
// failed connections.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

const CONNECTIONS = 16;
const HEAD_END = Buffer.from('\r\n\r\n');

interface Round {
  readonly port: number;
  /** A complete HTTP/1.1 request as text. */
  readonly request: string;
  /** Greatest number of requests of the round; default: no limit. */
  readonly count?: number;
  /** Time after which no further request is sent, ms; default: no limit. */
  readonly ms?: number;
  /** Number of connections; each sends one request at a time. */
  readonly connections?: number;
  /** Required status of every response. */
  readonly status: number;
}

interface Shared {
  left: number;
  answered: number;
  readonly endsAt: number;
  readonly request: Buffer;
  readonly status: string;
}

/** Size of a response; 0 for an incomplete response. Throws if the status differs or content-length is missing. */
function answerBytes(data: Buffer, status: string): number {
  const end = data.indexOf(HEAD_END);
  if (end < 0) return 0;
  const head = data.toString('latin1', 0, end);
  if (!head.startsWith(status)) throw new Error(`unexpected response: ${head.split('\r\n', 1)[0]}`);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error('response without content-length');
  const total = end + HEAD_END.length + Number(length);
  return data.length < total ? 0 : total;
}

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
        if (pending.length !== bytes) throw new Error('more bytes than one response');
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
  // Keeps this process awake. Otherwise it would sleep while it waits for a slow server. The wake-up time would then
  // make only slow servers slower.
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
