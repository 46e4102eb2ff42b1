import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answerTo, type Asking, InitRecord, type Question } from './asking.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-asking-'));
  path = join(folder, 'init.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const QUESTION: Question = {
  flag: 'scenes',
  text: 'Satellite scenes',
  fallback: 'none',
  problem: (text) => (text === 'mars' ? 'mars has no scenes.' : undefined),
};

const asking = async (change: Partial<Asking> = {}): Promise<Asking> => ({
  flags: {},
  takesDefaults: false,
  input: new PassThrough(),
  output: new PassThrough(),
  record: await InitRecord.read(path),
  ...change,
});

it('uses the answer of the option, otherwise the answer of an earlier call, otherwise (with --yes) the default', async () => {
  const record = await InitRecord.read(path);
  expect(await answerTo(QUESTION, await asking({ takesDefaults: true }))).toBe('none');
  await record.store({ scenes: 'earth-search' });
  expect(await answerTo(QUESTION, await asking({ takesDefaults: true }))).toBe('earth-search');
  expect(await answerTo(QUESTION, await asking({ flags: { scenes: '/data' } }))).toBe('/data');
});

it('refuses a wrong option, and without a terminal also a missing option; the error names the option', async () => {
  await expect(answerTo(QUESTION, await asking({ flags: { scenes: 'mars' } }))).rejects.toThrow(
    '--scenes: mars has no',
  );
  await expect(answerTo(QUESTION, await asking())).rejects.toThrow(
    /^--scenes: is needed, because there is no terminal/,
  );
});

it('stores answers and finished steps in a file, and ignores a file that is not JSON', async () => {
  await writeFile(path, 'half a fi');
  const record = await InitRecord.read(path);
  await record.store({ tehsil: 'Chaibasa' });
  await record.finish('mws file', 'a.gpkg 1');
  const read = await InitRecord.read(path);
  expect([read.answerOf('tehsil'), read.isDone('mws file', 'a.gpkg 1'), read.isDone('mws file', 'b.gpkg 1')]).toEqual([
    'Chaibasa',
    true,
    false,
  ]);
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ tehsil: 'Chaibasa' });
});
