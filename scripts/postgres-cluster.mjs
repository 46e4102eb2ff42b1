// A PostgreSQL + PostGIS for tests, in a temporary folder. Clients connect through a Unix socket in this folder.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encrypted } from './postgres-tls.mjs';

const DEBIAN = '/usr/lib/postgresql';
const ROLE = 'headwater';

function output(program, args) {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** Folders of PostgreSQL versions, newest first. */
function binaryFolders() {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number).filter(Number.isInteger) : [];
  const folders = debian.sort((a, b) => b - a).map((version) => join(DEBIAN, String(version), 'bin'));
  return [...folders, output('pg_config', ['--bindir'])].filter(
    (folder) => folder && existsSync(join(folder, 'initdb')),
  );
}

/** Finds a version with PostGIS. Otherwise returns a text with the missing program. */
function findBinaries() {
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

/**
 * Account that runs PostgreSQL, and a function that builds its commands. PostgreSQL refuses to run as root, so a root
 * process uses the user of the Debian package.
 */
function unprivileged() {
  if (process.getuid?.() !== 0) return { command: (program, args) => [program, args] };
  const uid = output('id', ['-u', 'postgres']);
  if (uid === undefined)
    return {
      missing:
        'PostgreSQL refuses to run as root, and this machine has no user "postgres" to run it: install Debian\'s postgresql',
    };
  return { user: 'postgres', command: (program, args) => ['runuser', ['-u', 'postgres', '--', program, ...args]] };
}

function processesOf(data) {
  const postmaster = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0];
  const children = output('ps', ['-o', 'pid=', '--ppid', postmaster]) ?? '';
  return [postmaster, ...children.split(/\s+/)].filter((pid) => pid !== '').map(Number);
}

/** Command line of a process, into which PostgreSQL writes its activity. Empty for an ended process. */
function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/** True for a live process. A zombie counts as ended, because its command line is empty. */
const isAlive = (pid) => commandOf(pid) !== '';

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function makeCluster(bin, { command, user }, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-pg-'));
  if (user !== undefined) execFileSync('chown', [user, folder]);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  const run = (name, args) =>
    execFileSync(...command(join(bin, name), args), {
      cwd: '/',
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...env },
    });
  const cluster = {
    folder,
    role: ROLE,
    address: `postgres://${ROLE}@localhost/postgres?host=${encodeURIComponent(folder)}`,
    start() {
      // The time zone is not UTC, so that a test fails if a result depends on the time zone. By default there is no
      // port; only the owner of the folder can use the socket.
      const noPort = cluster.hasPort ? '' : "-c listen_addresses=''";
      const options = `${noPort} -c unix_socket_directories='${folder}' -c fsync=off -c max_connections=60 -c timezone=Asia/Kolkata`;
      run('pg_ctl', ['start', '-D', data, '-w', '-l', join(folder, 'log'), '-o', options]);
    },
    stop(mode = 'fast') {
      if (existsSync(join(data, 'postmaster.pid'))) run('pg_ctl', ['stop', '-D', data, '-m', mode, '-w']);
    },
    kill() {
      const processes = processesOf(data);
      for (const pid of processes) signal(pid, 'SIGKILL');
      while (processes.some(isAlive)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      // Lock files of ended processes are removed, because PostgreSQL would refuse to start.
      for (const file of [join(data, 'postmaster.pid'), join(folder, '.s.PGSQL.5432.lock')])
        rmSync(file, { force: true });
    },
    freeze: () => processesOf(data).forEach((pid) => signal(pid, 'SIGSTOP')),
    thaw: () => processesOf(data).forEach((pid) => signal(pid, 'SIGCONT')),
    killBackend() {
      const [, ...children] = processesOf(data);
      const backend = children.find((pid) => /^postgres: headwater .*\b(?:idle|[A-Z]+)\b/.test(commandOf(pid)));
      if (backend !== undefined) signal(backend, 'SIGKILL');
      return backend !== undefined;
    },
    hasPort: false,
    encrypt(port) {
      cluster.stop();
      const tls = encrypted({ data, folder, user }, port);
      cluster.hasPort = true;
      cluster.start();
      return tls;
    },
    remove() {
      cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    run('initdb', ['-D', data, '-U', ROLE, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']);
    cluster.start();
  } catch (error) {
    cluster.remove();
    throw error;
  }
  return cluster;
}

/** Returns `{ make }`, or `{ missing }` with the missing program and how to install it. */
export function findPostgres() {
  const { bin, missing } = findBinaries();
  if (missing !== undefined) return { missing };
  const account = unprivileged();
  return account.missing === undefined
    ? { make: (env) => makeCluster(bin, account, env) }
    : { missing: account.missing };
}
