import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workerUrl } from '@headwater/net/files';
import { ownFlags } from './entry.ts';

const UNFINISHED = 'unfinished-';

/**
 * Calls `onMaking` and creates the files of a new database, unless the files exist. Removes unfinished files of earlier
 * starts. Rejects with the cause if the creation fails.
 */
export async function ensureFiles(pgdata: string, onMaking: () => void = () => {}): Promise<void> {
  const root = dirname(pgdata);
  for (const name of readdirSync(root))
    if (name.startsWith(UNFINISHED)) rmSync(join(root, name), { recursive: true, force: true });
  if (existsSync(pgdata)) return;
  const draft = join(root, `${UNFINISHED}${process.pid}`);
  mkdirSync(draft, { mode: 0o700 });
  onMaking();
  await makeIn(draft);
  renameSync(draft, pgdata);
}

/**
 * Disables V8's optimizing WebAssembly compiler. Without this compiler, the process needs only half of the memory
 * (decision 087).
 */
const ONE_COMPILER = '--liftoff-only';

async function makeIn(folder: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = fork(workerUrl('./make-files-process', import.meta.url, '@headwater/postgres'), [folder], {
    execArgv: [...ownFlags(), ONE_COMPILER],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.once('message', (reason: string) => reject(new Error(reason)));
  child.once('error', reject);
  child.once('exit', (code, signal) =>
    code === 0
      ? resolve()
      : reject(new Error(`the process that creates its files ended with signal or exit code ${signal ?? code}`)),
  );
  await promise;
}
