// Worker of the tests of `runInChild`.
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import { reportToParent } from './report-to-parent.ts';

interface Order {
  readonly rows?: number;
  readonly env?: boolean;
  readonly throws?: string;
  readonly endless?: string;
}

const { rows, env, throws, endless }: Order = workerData;

await reportToParent<unknown>(async (progress) => {
  if (throws === 'broken') throw new BadPlaceFile('torn');
  if (throws === 'disk') throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  if (throws === 'fault') throw new Error('a programming error');
  if (throws === 'exit') process.kill(process.pid, 'SIGKILL');
  if (endless !== undefined) {
    progress(0, 1);
    new DatabaseSync(endless, { readOnly: true }).prepare('select count(*) from gpkg_contents').get();
  }
  if (env === true) return { ...process.env };
  return Array.from({ length: rows ?? 0 }, (_, row) => ({ row, start: 1e9, bytes: 99 }));
});
