import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BenchOptions } from '../options.ts';
import { judge, median, type BenchResult } from '../table.ts';

/** Number of processes that import each package. Many are needed, because import times vary. */
const PROCESSES = 15;
/** Largest allowed difference of the processor times of two imports, ms: the package minus zod. */
const BAR_MS = 10;
const PACKAGE = resolve(import.meta.dirname, '..', '..', 'packages', 'stac', 'dist', 'index.js');

function importMs(specifier: string): number {
  const script =
    `const before = process.cpuUsage(); await import(${JSON.stringify(specifier)}); ` +
    'const { user, system } = process.cpuUsage(before); console.log((user + system) / 1000);';
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    cwd: resolve(import.meta.dirname, '..', '..', 'packages', 'stac'),
  });
  if (status !== 0) throw new Error(`importing ${specifier} failed`);
  return Number(stdout);
}

/** Measures the processor time to import the built package, minus that of zod. Each import runs in a new process. */
export function importRows(name: string, { quick }: Pick<BenchOptions, 'quick'>): BenchResult[] {
  if (!existsSync(PACKAGE)) {
    console.log(`${name} skipped: the package is not built; run npm run build`);
    return [];
  }
  const [ours, zod]: [number[], number[]] = [[], []];
  for (let process = 0; process < (quick ? 1 : PROCESSES); process++) {
    ours.push(importMs(pathToFileURL(PACKAGE).href));
    zod.push(importMs('zod'));
  }
  const alone = median(zod);
  const shared = { unit: 'ms', better: 'less', bar: BAR_MS, ceiling: true } as const;
  return [
    judge({ ...shared, name, ours: ours.map((each) => each - alone), peer: { name: 'zod, by itself', rounds: zod } }),
  ];
}
