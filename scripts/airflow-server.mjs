// A real Airflow 2.10.3 for tests, in its own Python environment (`.airflow`). DAGs are in scripts/airflow/dags and
// deploy/airflow.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { serverBundle } from './server-bundle.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const FOLDER = join(HERE, '..', '.airflow');
const AIRFLOW = join(FOLDER, 'bin', 'airflow');
const PYTHONS = ['/usr/bin/python3.11', 'python3.11'];
const START_MS = 240_000;
/** One DAG of each DAG file. Airflow is ready when all three are loaded. */
const ONE_OF_EACH_FILE = ['t_paused', 'h_paused', 'headwater'];

/** Installs Airflow if necessary. Returns `{ start }`, or `{ missing }` with the reason why it cannot run. */
export function findAirflow() {
  if (!existsSync(AIRFLOW)) {
    const python = PYTHONS.find((name) => spawnSync(name, ['-c', 'import venv']).status === 0);
    if (python === undefined)
      return {
        missing:
          'Airflow needs Python 3.11 with venv (Debian: python3.11-venv), because the fixed versions of its dependencies are for Python 3.11.',
      };
    const failure = install(python);
    if (failure !== undefined) return { missing: failure };
  }
  return { start };
}

function install(python) {
  console.log('installing Airflow 2.10.3 into .airflow (a minute, 250 MB)');
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--requirement',
    join(HERE, 'airflow', 'requirements.txt'),
  ];
  for (const [command, args] of [
    [python, ['-m', 'venv', FOLDER]],
    [join(FOLDER, 'bin', 'python'), pip],
  ]) {
    const { status } = spawnSync(command, args, { stdio: 'inherit' });
    if (status !== 0) {
      rmSync(FOLDER, { recursive: true, force: true });
      return `${command} ${args.join(' ')} failed; see above (the installation needs PyPI).`;
    }
  }
  return undefined;
}

function freePort() {
  return new Promise((settle, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => settle(port));
    });
  });
}

/** Command of the server in this checkout. Airflow's worker runs this command, because the tests have no containers. */
const headwater = async () => `'${process.execPath}' --conditions=@headwater/source '${await serverBundle()}'`;

async function environment(home, { port, servicePort }) {
  const section = (name, values) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [`AIRFLOW__${name}__${key}`, String(value)]));
  return {
    PATH: `${join(FOLDER, 'bin')}:/usr/bin:/bin`,
    HOME: home,
    NO_PROXY: '*',
    PYTHONDONTWRITEBYTECODE: '1',
    AIRFLOW_HOME: home,
    HEADWATER_WORKFLOWS: join(home, 'workflows'),
    HEADWATER_COMMAND: await headwater(),
    NODE_COMPILE_CACHE: join(HERE, '..', 'node_modules', '.cache', 'headwater-tests'),
    HEADWATER_PATIENCE_SECONDS: '60',
    DATA_DIR: join(home, 'data'),
    PUBLIC_BASE_URL: `http://127.0.0.1:${servicePort}`,
    SCARF_ANALYTICS: 'false',
    // Turns off a check, because Airflow refuses parallel tasks on SQLite.
    _AIRFLOW__SKIP_DATABASE_EXECUTOR_COMPATIBILITY_CHECK: '1',
    ...section('CORE', {
      DAGS_FOLDER: join(home, 'dags'),
      EXECUTOR: 'LocalExecutor',
      PARALLELISM: 3,
      LOAD_EXAMPLES: 'False',
      DAGS_ARE_PAUSED_AT_CREATION: 'False',
      MIN_SERIALIZED_DAG_UPDATE_INTERVAL: 1,
      MIN_SERIALIZED_DAG_FETCH_INTERVAL: 1,
    }),
    ...section('DATABASE', { SQL_ALCHEMY_CONN: `sqlite:///${home}/airflow.db`, LOAD_DEFAULT_CONNECTIONS: 'False' }),
    ...section('API', {
      AUTH_BACKENDS: 'airflow.providers.fab.auth_manager.api.auth.backend.basic_auth,airflow.api.auth.backend.session',
    }),
    ...section('WEBSERVER', {
      WEB_SERVER_HOST: '127.0.0.1',
      WEB_SERVER_PORT: port,
      WORKERS: 1,
      SECRET_KEY: randomBytes(16).toString('hex'),
    }),
    ...section('SCHEDULER', {
      DAG_DIR_LIST_INTERVAL: 5,
      MIN_FILE_PROCESS_INTERVAL: 5,
      PARSING_PROCESSES: 1,
      SCHEDULER_HEARTBEAT_SEC: 1,
      JOB_HEARTBEAT_SEC: 1,
    }),
    ...section('USAGE_DATA_COLLECTION', { ENABLED: 'False' }),
  };
}

/** Starts Airflow. The service that gets the results must listen on the returned `servicePort`. */
async function start() {
  const home = mkdtempSync(join(tmpdir(), 'airflow-'));
  const [port, servicePort] = [await freePort(), await freePort()];
  const env = await environment(home, { port, servicePort });
  for (const folder of ['workflows', 'data']) mkdirSync(join(home, folder));
  for (const folder of [join(HERE, 'airflow', 'dags'), join(HERE, '..', 'deploy', 'airflow')])
    cpSync(folder, join(home, 'dags'), { recursive: true });
  const [username, password] = ['admin', randomBytes(8).toString('hex')];
  const children = [];
  const stop = async () => {
    for (const child of children) end(child.pid);
    await Promise.all(children.map((child) => child.exitCode ?? new Promise((settle) => child.once('exit', settle))));
    // The removal is retried, because a killed process may still be writing.
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
  };
  try {
    for (const args of [
      ['db', 'migrate'],
      ['sync-perm'],
      ['users', 'create', '--username', username, '--password', password, '--role', 'Admin'].concat(person(username)),
      ['users', 'create', '--username', 'viewer', '--password', password, '--role', 'Viewer'].concat(person('viewer')),
    ]) {
      const { status, stderr } = spawnSync(AIRFLOW, args, { env, encoding: 'utf8' });
      if (status !== 0) throw new Error(`airflow ${args[0]} ended with ${status}:\n${stderr.slice(-2000)}`);
    }
    for (const args of [['scheduler', '--skip-serve-logs'], ['webserver']]) {
      const log = openSync(join(home, `${args[0]}.log`), 'a');
      children.push(spawn(AIRFLOW, args, { env, stdio: ['ignore', log, log], detached: true }));
    }
    const url = `http://127.0.0.1:${port}`;
    await untilReady({ url, username, password, children, home });
    return { url, username, password, home, servicePort, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const person = (name) => ['--firstname', name, '--lastname', name, '--email', `${name}@example.org`];

async function untilReady({ url, username, password, children, home }) {
  const authorization = `Basic ${btoa(`${username}:${password}`)}`;
  const isKnown = async (dag) => {
    const answer = await fetch(`${url}/api/v1/dags/${dag}`, { headers: { authorization } }).catch(() => undefined);
    await answer?.text();
    return answer?.status === 200;
  };
  const isUp = async () => (await Promise.all(ONE_OF_EACH_FILE.map(isKnown))).every((each) => each);
  for (const end = Date.now() + START_MS; Date.now() < end; await pause(500)) {
    if (children.some(({ exitCode }) => exitCode !== null)) break;
    if (await isUp()) return;
  }
  const logs = ['scheduler', 'webserver'].map((name) => readFileSync(join(home, `${name}.log`), 'utf8').slice(-1500));
  throw new Error(`Airflow did not start within ${START_MS / 1000} s:\n${logs.join('\n---\n')}`);
}

/** Ends a process and its descendants by their ids, because Airflow's file processor has its own process group. */
function end(root) {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = (pid) => pairs.filter(([, parent]) => parent === pid).flatMap(([child]) => [child, ...below(child)]);
  for (const pid of [root, ...below(root)]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  }
}
