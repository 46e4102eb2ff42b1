// `npm run test:postgres [vitest arguments]`: the store suites on a real PostgreSQL + PostGIS, started here for the occasion in
// a temporary folder, reachable only through a Unix socket in it. A machine without them skips with the reason; under CI=true
// that is a failure.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const DEBIAN = '/usr/lib/postgresql';
const SUITES = ['packages/postgres/src', 'packages/testkit/src/stores'];
const ROLE = 'headwater';

/** Runs a program and returns its trimmed output, undefined when it cannot run. */
function output(program, args) {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** Folders that may hold initdb, newest version first. */
function binaryFolders() {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number).filter(Number.isInteger) : [];
  const folders = debian.sort((a, b) => b - a).map((version) => join(DEBIAN, String(version), 'bin'));
  return [...folders, output('pg_config', ['--bindir'])].filter(
    (folder) => folder && existsSync(join(folder, 'initdb')),
  );
}

/** A version with PostGIS beside it; otherwise what is missing and how to get it. */
function findPostgres() {
  const folders = binaryFolders();
  if (folders.length === 0) {
    return {
      missing: 'PostgreSQL (initdb) is not installed. Debian: apt-get install postgresql-15 postgresql-15-postgis-3',
    };
  }
  const bin = folders.find((folder) => {
    const share =
      output(join(folder, 'pg_config'), ['--sharedir']) ?? folder.replace('/lib/', '/share/').replace(/\/bin$/, '');
    return existsSync(join(share, 'extension', 'postgis.control'));
  });
  if (bin !== undefined) return { bin };
  const version = output(join(folders[0], 'postgres'), ['--version'])?.match(/(\d+)/)?.[1] ?? '15';
  return {
    missing: `PostGIS for PostgreSQL ${version} is not installed. Debian: apt-get install postgresql-${version}-postgis-3`,
  };
}

/** How to run PostgreSQL's programs: it refuses root, so root borrows the account of the Debian package. */
function unprivileged() {
  if (process.getuid?.() !== 0) return { command: (program, args) => [program, args] };
  const uid = output('id', ['-u', 'postgres']);
  if (uid === undefined)
    return {
      missing: 'Running as root, and there is no user "postgres" to start PostgreSQL as: install Debian\'s postgresql',
    };
  return { user: 'postgres', command: (program, args) => ['runuser', ['-u', 'postgres', '--', program, ...args]] };
}

function skip(reason) {
  console.log(`skipped: the suites on a real PostgreSQL. ${reason}`);
  if (process.env.CI === 'true') {
    console.error('CI=true: what is missing there is a failure');
    process.exit(1);
  }
  process.exit(0);
}

/** Makes a cluster in `folder`, starts it, and returns how to reach and stop it. */
function startCluster(bin, { command, user }) {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-pg-'));
  if (user !== undefined) execFileSync('chown', [user, folder]);
  chmodSync(folder, 0o700);
  const run = (name, args) =>
    execFileSync(...command(join(bin, name), args), { cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] });
  const data = join(folder, 'data');
  const stop = () => {
    if (existsSync(join(data, 'postmaster.pid'))) run('pg_ctl', ['stop', '-D', data, '-m', 'fast', '-w']);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    run('initdb', ['-D', data, '-U', ROLE, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']);
    // The folder's mode is the door: no network port, and nobody else can reach the socket.
    const options = `-c listen_addresses='' -c unix_socket_directories='${folder}' -c fsync=off -c max_connections=60`;
    run('pg_ctl', ['start', '-D', data, '-w', '-l', join(folder, 'log'), '-o', options]);
  } catch (error) {
    stop();
    throw error;
  }
  return { address: `postgres://${ROLE}@localhost/postgres?host=${encodeURIComponent(folder)}`, stop };
}

/** Runs vitest over the suites and resolves to its exit code. */
function runSuites(address) {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--exclude', 'packages/postgres/src/embedded/**', ...SUITES, ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, HEADWATER_TEST_PG: address },
  });
  const forward = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => forward(signal));
  return new Promise((settle) => {
    child.on('exit', (code) => settle(code ?? 1));
  });
}

const found = findPostgres();
if (found.missing !== undefined) skip(found.missing);
const account = unprivileged();
if (account.missing !== undefined) skip(account.missing);
const cluster = startCluster(found.bin, account);
try {
  process.exitCode = await runSuites(cluster.address);
} finally {
  cluster.stop();
}
