// The sample of a first start, for tests that do not test how it is generated. It is generated once for the current
// sources, and each test copies it. Generating takes 15 s of processor time; copying takes 0.3 s.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cachedFolder } from './cached-folder.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const PACKAGES = join(ROOT, 'packages');
const TEMPLATES = join(ROOT, 'node_modules', '.cache', 'headwater-sample');
const GENERATOR = join(PACKAGES, 'sample-world', 'src', 'generate-sample.ts');

/** Copies the complete sample into a data folder without a sample. A start then finds it and does not generate it. */
export function copySample(dataDir) {
  const template = cachedFolder(TEMPLATES, digest(), makeTemplate);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  for (const part of ['dem', 'eo', 'places', 'sample'])
    cpSync(join(template, part), join(dataDir, part), { recursive: true, mode: constants.COPYFILE_FICLONE });
}

function makeTemplate(draft) {
  execFileSync(process.execPath, ['--conditions=@headwater/source', import.meta.filename, draft], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

async function generate(dataDir) {
  const { generateSample } = await import(pathToFileURL(GENERATOR).href);
  await generateSample({ dataDir, signal: new AbortController().signal, progress: () => {} });
}

/** Digest of the sources of the generator and of the packages that it uses. */
function digest() {
  const hash = createHash('sha256');
  const { dependencies } = JSON.parse(readFileSync(join(PACKAGES, 'sample-world', 'package.json'), 'utf8'));
  const used = Object.keys(dependencies).flatMap((name) => /^@headwater\/(.*)/.exec(name)?.[1] ?? []);
  for (const name of ['sample-world', ...used]) {
    const source = join(PACKAGES, name, 'src');
    const files = readdirSync(source, { recursive: true }).filter((file) => /(?<!\.test|\.fixture)\.ts$/.test(file));
    for (const file of files.sort((a, b) => a.localeCompare(b)))
      hash.update(file).update(readFileSync(join(source, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

if (import.meta.main) await generate(process.argv[2]);
