import { Agent } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchBytes, quantile } from '../search/load.ts';

const CONNECTIONS = 16;

/** A server and the paths that one round requests. */
export interface Requests {
  readonly base: string;
  readonly paths: readonly string[];
}

/** Requests every path once; returns the number of responses per second. */
export async function perSecond({ base, paths }: Requests, connections = CONNECTIONS): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let next = 0;
  const drive = async (): Promise<void> => {
    for (let at = next++; at < paths.length; at = next++) await fetchBytes(agent, `${base}${paths[at]}`);
  };
  const start = performance.now();
  try {
    await Promise.all(Array.from({ length: connections }, drive));
  } finally {
    agent.destroy();
  }
  return (1000 * paths.length) / (performance.now() - start);
}

/** Result of a load at a fixed rate. */
export interface Endured {
  /** 95th percentile of the time from the planned start of a request to the end of its response, ms. */
  readonly p95: number;
  /** Greatest memory of the load's last quarter, divided by the greatest memory of its second quarter. */
  readonly growth: number;
  readonly peakMib: number;
}

/** Sends requests at a fixed rate, even if responses are slow. Samples the memory of process `pid` each second. */
export async function endure(
  { base, paths }: Requests,
  { rate, seconds, pid }: { readonly rate: number; readonly seconds: number; readonly pid: number },
): Promise<Endured> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const times: number[] = [];
  const memory: number[] = [];
  const sent: Promise<unknown>[] = [];
  const start = performance.now();
  for (let at = 0; at < rate * seconds; at++) {
    const due = start + (1000 * at) / rate;
    if (due > performance.now()) await sleep(due - performance.now());
    if (at % rate === 0) memory.push(await residentMib(pid));
    sent.push(fetchBytes(agent, `${base}${paths[at % paths.length]}`).then(() => times.push(performance.now() - due)));
  }
  await Promise.all(sent);
  agent.destroy();
  const quarter = (index: number): number => {
    const share = memory.length / 4;
    return Math.max(...memory.slice(Math.floor(share * index), Math.ceil(share * (index + 1))));
  };
  return { p95: quantile(times, 0.95), growth: quarter(3) / quarter(1), peakMib: Math.max(...memory) };
}

/** Resident memory of a process, MiB. */
export async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** Processor time of a server and of the database in `socket` so far, s. */
export async function cpuSeconds(pid: number, socket: string): Promise<number> {
  const [postmaster = ''] = (await readFile(join(socket, 'data', 'postmaster.pid'), 'utf8')).split('\n');
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  const times = [String(pid), ...children.trim().split(' ')].map(async (each) => {
    const stat = await readFile(`/proc/${each}/stat`, 'utf8').catch(() => '');
    // The process name, in parentheses, may contain spaces.
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return (user + system) / TICKS;
  });
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0);
}

const TICKS = 100;
