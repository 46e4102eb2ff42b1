import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ReadEstimate } from '@headwater/core/ports';
import { withProcessSettings } from '../../packages/server/src/process.ts';
import { BENCH_FOLDER } from '../inputs.ts';
import { lineReader } from '../peer.ts';

const COMPUTE = resolve(import.meta.dirname, 'compute.ts');

/** Figures of one computed year. */
export interface YearLine {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMib: number | null;
  readonly timings: Readonly<Record<string, number>>;
}

/** A process that computes a year per round. */
export interface ComputeProcess {
  round(): Promise<YearLine>;
  /** Estimates the work of a round from the headers of its scenes. */
  estimate(): Promise<ReadEstimate>;
  close(): void;
}

/** Starts a process that computes a year per round, with the process settings of the reference server. */
export async function startCompute(scenes: string, threads: number): Promise<ComputeProcess> {
  mkdirSync(BENCH_FOLDER, { recursive: true });
  const work = mkdtempSync(join(BENCH_FOLDER, 'year-'));
  const args = ['--conditions=@headwater/source', COMPUTE, scenes, work, String(threads)];
  const child = spawn(process.execPath, args, { env: withProcessSettings(process.env) });
  child.stderr.pipe(process.stderr);
  const next = lineReader(child, 'bench/year/compute.ts');
  await next();
  return {
    async round() {
      child.stdin.write('run\n');
      return JSON.parse(await next()) as YearLine;
    },
    async estimate() {
      child.stdin.write('estimate\n');
      return JSON.parse(await next()) as ReadEstimate;
    },
    close() {
      child.kill();
      rmSync(work, { recursive: true, force: true });
    },
  };
}
