// Imports one workbook into stores in memory, in a process of its own, and tells what memory that took.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createMemoryStores } from '@headwater/identity/memory';
import { workbookImporter } from '@headwater/ingest';
import { peakBytes } from '../../../../scripts/peak-memory.mjs';
import { importWorld, requestOf } from './import-request.fixture.ts';

/** What importing came to. */
export interface ImportTold {
  readonly stored: number;
  readonly progressCalls: number;
  /** Greatest memory of the process beyond that before the import, bytes. */
  readonly grewBytes: number;
}

const SELF = fileURLToPath(import.meta.url);

/** Imports the workbook at `path` into the tehsil of `importWorld`. */
export function importApart(path: string): Promise<ImportTold> {
  return new Promise((settle, fail) => {
    const child = fork(SELF, [path], { execArgv: ['--conditions=@headwater/source'] });
    child.once('message', (told: ImportTold) => settle(told));
    child.once('exit', (code) => fail(new Error(`the import ended with ${code}`)));
  });
}

async function imported(path: string): Promise<ImportTold> {
  const { deps } = await importWorld(createMemoryStores());
  const before = process.memoryUsage.rss();
  let progressCalls = 0;
  const report = await workbookImporter(deps).run(
    requestOf(path, {
      place: { state: 'Jharkhand', district: 'West Singhbhum', tehsil: 'Chaibasa' },
      isTrial: true,
      progress: () => {
        progressCalls += 1;
      },
    }),
  );
  return { stored: report.stored, progressCalls, grewBytes: peakBytes() - before };
}

if (process.argv[1] === SELF && process.argv[2] !== undefined) process.send?.(await imported(process.argv[2]));
