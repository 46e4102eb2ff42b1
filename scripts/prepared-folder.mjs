// Folders in node_modules/.cache with files that many tests need and that take seconds to create. Each folder is
// created once for the current sources, in a child process. A child process is used, because a process of vitest that
// is blocked cannot report to its parent.
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

/** Longest time of a creation, ms. A server that computes the layers of the sample on a busy machine takes minutes. */
const MOST_MS = 600_000;

/**
 * Returns the folder `name` in the cache. If the folder is missing, `script` creates it: the script exports
 * `fill(draft)`, which fills a draft folder. The folder is created again if one of these changes: the script, the files
 * that it imports by relative paths, `packages` and the packages of this repository that they depend on, the installed
 * packages, or the release of Node.
 */
export const preparedFolder = (name, script, packages) =>
  cachedFolder(join(CACHE, name), digest(script, packages), (draft) => runScript(script, draft));

/** Computed digests by script. The digests can be cached, because the sources do not change while a process runs. */
const digests = new Map();

function digest(script, packages) {
  if (!digests.has(script)) {
    const hash = createHash('sha256').update(process.version);
    for (const file of [join(ROOT, 'package-lock.json'), ...withImports(script), ...sourcesOf(packages)]) {
      const content = readFileSync(file);
      // The digest includes the complete path of each file, because a bundle contains the paths of its sources.
      hash.update(`${file} ${content.byteLength}\n`).update(content);
    }
    digests.set(script, hash.digest('hex').slice(0, 16));
  }
  return digests.get(script);
}

/** Returns a script, and the files that it imports by relative paths. */
function withImports(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+)'/g))
    withImports(resolve(dirname(file), path), found);
  return found;
}

/** Returns the files of packages and of the packages of this repository that they depend on, without tests. */
function sourcesOf(packages) {
  const names = new Set(packages);
  // The loop also visits the names that it adds to the set.
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

/** Runs `fill(draft)` of a script in a child process, which ends when this process ends. */
async function runScript(script, draft) {
  const args = ['--conditions=@headwater/source', import.meta.filename, script, draft];
  // The child process has its own process group, so that it can end itself together with the processes that it has
  // started.
  const options = { env: childEnv(), detached: true, stdio: ['pipe', 'inherit', 'inherit'] };
  const [code, signal] = await once(spawn(process.execPath, args, options), 'exit');
  if (code !== 0) throw new Error(`${script} did not create ${draft}; it ended with ${code ?? signal}`);
}

/** Calls `fill(draft)` of a script in this process, which was started for this call. */
async function runHere(script, draft) {
  const endGroup = () => process.kill(-process.pid, 'SIGKILL');
  // The standard input is a pipe from the parent process. The pipe ends when the parent process ends; this process then
  // ends too.
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

// The script imports this module. With a top-level await, each of the two modules would wait for the other.
if (import.meta.main) void runHere(process.argv[2], process.argv[3]);
