// Asks a server over HTTP: one request after the other for latencies, on sixteen connections for requests a second.
import { Agent, get } from 'node:http';

const CONNECTIONS = 16;

export interface Measured {
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly perSecond: number;
}

/** A round of latencies ends after so many times its seconds, on a machine that is too slow for all of its requests. */
const PATIENCE = 5;

/** What is measured in one round. */
export interface Round {
  /** Requests alone. */
  readonly count: number;
  /** As many requests as these let through. */
  readonly seconds: number;
  /** Done after each request alone, so that both are measured in the same moments. */
  readonly beside?: ((at: number) => Promise<unknown>) | undefined;
}

/** One round: `count` requests alone, then as many as `seconds` let through. */
export async function measure(
  base: string,
  paths: readonly string[],
  { count, seconds, beside = async () => {} }: Round,
): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  try {
    const times: number[] = [];
    const latest = performance.now() + seconds * 1000 * PATIENCE;
    for (let at = 0; at < count && (at < CONNECTIONS || performance.now() < latest); at++) {
      const start = performance.now();
      await ask(agent, `${base}${paths[at % paths.length] ?? ''}`);
      times.push(performance.now() - start);
      await beside(at);
    }
    const begin = performance.now();
    const ends = begin + seconds * 1000;
    let answered = 0;
    const drive = async (first: number): Promise<void> => {
      for (let at = first; performance.now() < ends; at += CONNECTIONS) {
        await ask(agent, `${base}${paths[at % paths.length] ?? ''}`);
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

/** The answer's text; any other status than 200 ends the bench. */
export function ask(agent: Agent | undefined, address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(address, agent === undefined ? {} : { agent }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.once('error', reject);
      answer.once('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        if (answer.statusCode === 200) resolve(text);
        else reject(new Error(`${address} answers ${answer.statusCode}: ${text.slice(0, 300)}`));
      });
    }).once('error', reject);
  });
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? NaN;
}
