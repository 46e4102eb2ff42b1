// `npm run test:packages [-- names]`: installs the packed packages from a local registry into empty projects, and tests
// them.
// Options: --few (two projects), --built (no build), --tools (only installs the tools), --keep (copies to
// .registry/projects).
import { execFile, execFileSync, fork } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { cachedFolder } from './cached-folder.mjs';
import { CASES, FEW } from './installed/cases.mjs';
import { freePort, Project } from './installed/project.mjs';
import { packAll } from './pack-packages.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const PLATFORM = `${process.platform}-${process.arch}`;
/** Programs that are installed outside of the workspace. */
const TOOLS = {
  verdaccio: '6.10.4',
  pnpm: '10.34.8',
  node20: `npm:node-${PLATFORM}@20.20.2`,
  node22: `npm:node-${PLATFORM}@22.23.5`,
};
const PROJECTS = 2;

const run = promisify(execFile);

/** Installs the tools into the folder `.registry`, once. */
async function installTools() {
  const name = Object.values(TOOLS)
    .join('-')
    .replace(/[^\w.]+/g, '-');
  const folder = await cachedFolder(join(ROOT, '.registry', 'tools'), name, (draft) => {
    console.log('installing a registry, pnpm and other releases of Node into .registry (half a minute, 350 MB)');
    // An unused plugin requests `node-fetch` by a tag that some registries do not have.
    const manifest = { private: true, dependencies: TOOLS, overrides: { 'node-fetch': '2.7.0' } };
    writeFileSync(join(draft, 'package.json'), JSON.stringify(manifest));
    execFileSync('npm', ['install', '--workspaces=false', '--loglevel=error'], { cwd: draft, stdio: 'inherit' });
  });
  return join(folder, 'node_modules');
}

/** Starts the local registry. Packages of other owners are cached in `.registry/storage`. */
async function startRegistry(tools, scratch) {
  const storage = join(ROOT, '.registry', 'storage');
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  rmSync(join(storage, '@headwater'), { recursive: true, force: true });
  const config = join(scratch, 'verdaccio.yaml');
  writeFileSync(
    config,
    JSON.stringify({
      storage,
      uplinks: { upstream: { url: upstream, maxage: '24h', timeout: '60s' } },
      packages: {
        '@headwater/*': { access: '$all', publish: '$all' },
        '**': { access: '$all', proxy: 'upstream' },
      },
      web: { enable: false },
      max_body_size: '50mb',
      log: { type: 'file', path: join(scratch, 'verdaccio.log'), level: 'warn' },
    }),
  );
  const port = await freePort();
  const args = ['--config', config, '--listen', `127.0.0.1:${port}`];
  const child = fork(join(tools, 'verdaccio', 'bin', 'verdaccio'), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await new Promise((started, failed) => {
    child.on('message', ({ verdaccio_started: isStarted }) => isStarted && started());
    child.on('exit', (code) => failed(new Error(`the registry ended with code ${code}`)));
  });
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.removeAllListeners('exit').kill() };
}

async function inParallel(items, width, work) {
  const queue = [...items];
  const next = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, next));
}

async function publishAll(packed, registry, scratch) {
  const userconfig = join(scratch, 'npmrc');
  // npm publishes only with a token, and the registry accepts any token.
  writeFileSync(userconfig, `registry=${registry}\n${registry.replace('http:', '')}:_authToken=none\n`);
  await inParallel(packed, 4, ({ tarball }) =>
    run('npm', ['publish', tarball, '--userconfig', userconfig], { cwd: scratch }),
  );
}

const named = process.argv.slice(2).filter((each) => !each.startsWith('--'));
const unknown = named.filter((name) => CASES[name] === undefined);
if (unknown.length > 0) {
  console.error(`unknown project: ${unknown.join(', ')}; use ${Object.keys(CASES).join(', ')}`);
  process.exit(2);
}
const has = (option) => process.argv.includes(option);
const chosen = named.length > 0 ? named : has('--few') ? FEW : Object.keys(CASES);

const began = performance.now();
const tools = await installTools();
if (has('--tools')) process.exit();
const scratch = mkdtempSync(join(tmpdir(), 'headwater-packages-'));
let registry;
const failed = [];
const rows = [];
try {
  if (!has('--built')) execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' });
  const packed = packAll(join(scratch, 'packed'));
  registry = await startRegistry(tools, scratch);
  await publishAll(packed, registry.url, scratch);
  console.log(
    `${packed.length} packages are packed and published after ${Math.round((performance.now() - began) / 1000)} s`,
  );
  await inParallel(chosen, PROJECTS, async (name) => {
    const start = performance.now();
    const folder = join(scratch, name);
    const project = new Project({ folder, registry: registry.url, tools, root: ROOT });
    try {
      const row = await CASES[name](project);
      if (row !== undefined) rows.push({ 'use case': name, ...row });
      console.log(`passed: ${name} (${Math.round((performance.now() - start) / 1000)} s)`);
    } catch (error) {
      failed.push(name);
      console.error(`failed: ${name}\n${error.stack}\n${error.stdout ?? ''}${error.stderr ?? ''}`);
    } finally {
      await project.close();
    }
  });
} finally {
  registry?.stop();
  if (has('--keep')) cpSync(scratch, join(ROOT, '.registry', 'projects'), { recursive: true });
  rmSync(scratch, { recursive: true, force: true });
}
console.table(rows);
const seconds = Math.round((performance.now() - began) / 1000);
console.log(
  failed.length === 0
    ? `test:packages: ${chosen.length} passed in ${seconds} s`
    : `test:packages: failed: ${failed.join(', ')}`,
);
process.exit(failed.length === 0 ? 0 : 1);
