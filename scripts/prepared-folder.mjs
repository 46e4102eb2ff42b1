// Folders with files for many tests, in node_modules/.cache. A child process creates them, because a blocked vitest
// process cannot report to its parent.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cachedFolder } from './cached-folder.mjs';
import { childEnv } from './child-env.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const PACKAGES = join(ROOT, 'packages');
const CACHE = join(ROOT, 'node_modules', '.cache');

/** Longest creation, ms. On a busy machine, the sample's layers take minutes. */
const MOST_MS = 600_000;

/**
 * Returns the folder `name` in the cache. If it is missing, or the sources of `script` or `packages` have changed, the
 * function `fill` of the module `script` creates the folder.
 */
export const preparedFolder = (name, script, packages) =>
  cachedFolder(join(CACHE, name), digest(script, packages), (draft) => runScript(script, draft));

/** Digests by script; sources do not change while a process runs. */
const digests = new Map();

function digest(script, packages) {
  if (!digests.has(script)) {
    const hash = createHash('sha256').update(process.version);
    for (const file of [join(ROOT, 'package-lock.json'), ...withImports(script), ...sourcesOf(packages)]) {
      const content = readFileSync(file);
      // The digest includes whole paths, because a bundle contains them.
      hash.update(`${file} ${content.byteLength}\n`).update(content);
    }
    digests.set(script, hash.digest('hex').slice(0, 16));
  }
  return digests.get(script);
}

function withImports(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+)'/g))
    withImports(resolve(dirname(file), path), found);
  return found;
}

function sourcesOf(packages) {
  const names = new Set(packages);
  for (const name of names) {
    const { dependencies = {} } = JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8'));
    for (const each of Object.keys(dependencies)) if (each.startsWith('@headwater/')) names.add(each.split('/')[1]);
  }
  return [...names]
    .toSorted((a, b) => a.localeCompare(b))
    .flatMap((name) => {
      const folders = ['src', 'migrations']
        .map((part) => join(PACKAGES, name, part))
        .filter((each) => existsSync(each));
      return [join(PACKAGES, name, 'package.json'), ...folders.flatMap(filesIn)];
    });
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(test|test-d|fixture)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

async function runScript(script, draft) {
  const args = ['--conditions=@headwater/source', import.meta.filename, script, draft];
  // The child process gets its own process group, so that it can end together with its child processes.
  const options = { env: childEnv(), detached: true, stdio: ['pipe', 'inherit', 'inherit'] };
  const [code, signal] = await once(spawn(process.execPath, args, options), 'exit');
  if (code !== 0) throw new Error(`${script} did not create ${draft}; it ended with ${code ?? signal}`);
}

async function runHere(script, draft) {
  const endGroup = () => process.kill(-process.pid, 'SIGKILL');
  // Standard input ends when the parent process ends; then this process ends too.
  process.stdin.on('end', endGroup).resume().unref();
  setTimeout(() => {
    console.error(`${script} took longer than ${MOST_MS / 1000} s`);
    endGroup();
  }, MOST_MS).unref();
  try {
    const { fill } = await import(pathToFileURL(script).href);
    await fill(draft);
  } catch (error) {
    console.error(error);
    endGroup();
  }
}

// No top-level await, because the script imports this module, and both would wait for each other.
if (import.meta.main) void runHere(process.argv[2], process.argv[3]);
