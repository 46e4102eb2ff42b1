import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { entry, ownFlags } from './entry.ts';

/** Files of a database that is being made for the first time. */
const UNFINISHED = 'unfinished-';

/**
 * Makes the files of a new database where there are none yet. They get their name when they are whole: a start that dies on
 * the way leaves what the next one removes. `onMaking` is called before. Rejects with the cause when they cannot be made.
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
 * For a process that runs for seconds V8's second compiler of WebAssembly does not pay: without it making takes 590 MiB at most instead of
 * 1,180, and a fifth less time (decision 087).
 */
const ONE_COMPILER = '--liftoff-only';

async function makeIn(folder: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = fork(entry('make-files-process'), [folder], {
    execArgv: [...ownFlags(), ONE_COMPILER],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.once('message', (reason: string) => reject(new Error(reason)));
  child.once('error', reject);
  child.once('exit', (code, signal) =>
    code === 0 ? resolve() : reject(new Error(`the process that makes its files ended with ${signal ?? code}`)),
  );
  await promise;
}
