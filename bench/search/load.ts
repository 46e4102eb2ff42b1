import { Agent, get } from 'node:http';

const CONNECTIONS = 16;

export interface Measured {
  /** Median latency, ms. */
  readonly p50: number;
  readonly p95: number;
  readonly perSecond: number;
}

/**
 * Maximum duration of the sequential part of a round, as a multiple of `seconds`. The first 16 requests are sent even
 * after this time.
 */
const LATENCY_FACTOR = 5;

/** Parameters of one round. */
export interface Round {
  /** Number of sequential requests. */
  readonly count: number;
  /** Time during which requests per second are measured, s. */
  readonly seconds: number;
  /** Called after each sequential request, for example to measure plain SQL under the same load. */
  readonly afterEach?: ((at: number) => Promise<unknown>) | undefined;
}

/** Runs one round: `count` sequential requests, then as many requests as possible in `seconds`. */
export async function measure(
  base: string,
  paths: readonly string[],
  { count, seconds, afterEach = async () => {} }: Round,
): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  try {
    const times: number[] = [];
    const latest = performance.now() + seconds * 1000 * LATENCY_FACTOR;
    for (let at = 0; at < count && (at < CONNECTIONS || performance.now() < latest); at++) {
      const start = performance.now();
      await fetchText(agent, `${base}${paths[at % paths.length] ?? ''}`);
      times.push(performance.now() - start);
      await afterEach(at);
    }
    const begin = performance.now();
    const ends = begin + seconds * 1000;
    let answered = 0;
    const drive = async (first: number): Promise<void> => {
      for (let at = first; performance.now() < ends; at += CONNECTIONS) {
        await fetchText(agent, `${base}${paths[at % paths.length] ?? ''}`);
        answered++;
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, (_each, at) => drive(at)));
    return {
      p50: quantile(times, 0.5),
      p95: quantile(times, 0.95),
      perSecond: (answered / (performance.now() - begin)) * 1000,
    };
  } finally {
    agent.destroy();
  }
}

/** Returns the response text; rejects if the status is not 200. */
export async function fetchText(agent: Agent | undefined, address: string): Promise<string> {
  return (await fetchBytes(agent, address, [200])).toString('utf8');
}

/** Returns the body of a response; rejects if its status is not in `statuses`. An empty tile has status 204. */
export function fetchBytes(agent: Agent | undefined, address: string, statuses = [200, 204]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get(address, agent === undefined ? {} : { agent }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.once('error', reject);
      answer.once('end', () => {
        const { statusCode = 0 } = answer;
        const body = Buffer.concat(parts);
        if (statuses.includes(statusCode)) resolve(body);
        else reject(new Error(`${address} responded ${statusCode}: ${body.toString('utf8').slice(0, 300)}`));
      });
    }).once('error', reject);
  });
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? NaN;
}
