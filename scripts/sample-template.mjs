// The sample of a first start, for tests. To generate the sample takes 15 s of processor time, but to copy it 0.3 s.
import { constants, cpSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { preparedFolder } from './prepared-folder.mjs';

const GENERATOR = resolve(import.meta.dirname, '..', 'packages', 'sample-world', 'src', 'generate-sample.ts');

/** Copies the sample of a first start into a data folder without a sample. */
export async function copySample(dataDir) {
  const template = await preparedFolder('headwater-sample', import.meta.filename, ['sample-world']);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  for (const part of ['dem', 'eo', 'places', 'sample'])
    cpSync(join(template, part), join(dataDir, part), { recursive: true, mode: constants.COPYFILE_FICLONE });
}

/** Generates the sample in a draft folder. */
export async function fill(dataDir) {
  const { generateSample } = await import(pathToFileURL(GENERATOR).href);
  await generateSample({ dataDir, signal: new AbortController().signal, progress: () => {} });
}
