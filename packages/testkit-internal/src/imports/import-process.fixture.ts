// Makes a trial import of a workbook in a child process and reports the used memory.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createMemoryStores } from '@headwater/identity/memory';
import { workbookImporter } from '@headwater/ingest';
import { peakBytes } from '../../../../scripts/peak-memory.mjs';
import { importWorld, requestOf } from './import-request.fixture.ts';

/** Outcome of an import in a child process. */
export interface ImportOutcome {
  readonly stored: number;
  readonly progressCalls: number;
  /** Growth of the peak memory, bytes. */
  readonly grewBytes: number;
}

const SELF = fileURLToPath(import.meta.url);

/** Reads a workbook in a child process as an import into the tehsil of `importWorld`, but stores nothing. */
export function importInChildProcess(path: string): Promise<ImportOutcome> {
  return new Promise((settle, fail) => {
    const child = fork(SELF, [path], { execArgv: ['--conditions=@headwater/source'] });
    child.once('message', (outcome: ImportOutcome) => settle(outcome));
    child.once('exit', (code) => fail(new Error(`the import ended with ${code}`)));
  });
}

async function imported(path: string): Promise<ImportOutcome> {
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
