import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { childEnv } from '../../scripts/child-env.mjs';
import { type Cluster, findPostgres } from '../../scripts/postgres-cluster.mjs';
import { serverBundle } from '../../scripts/server-bundle.mjs';
import { collect, freePort, waitForText } from '../server-process.ts';

const ROOT = resolve(import.meta.dirname, '../..');

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string | number>>;
  readonly profiles?: readonly string[];
  readonly read_only?: boolean;
  readonly volumes: readonly string[];
}

const text = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');
const { services, volumes } = parse(text, { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const known = new Set(
  [...readFileSync(join(ROOT, '.env.example'), 'utf8').matchAll(/^(\w+)=/gm)].map(([, name]) => name),
);

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?error}` as compose does. */
function interpolate(value: string | number, env: Readonly<Record<string, string>>): string {
  return String(value).replace(/\$\{\w+(?::[-?][^}]*)?\}/g, (reference) => {
    const [, name = '', kind = '', rest = ''] = /^\$\{(\w+)(?::([-?])(.*))?\}$/.exec(reference) ?? [];
    const given = env[name] ?? '';
    if (given !== '') return given;
    if (kind === '?') throw new Error(`${name} ${rest}`);
    return rest;
  });
}

function serviceOf(name: string): Service {
  const service = services[name];
  if (service === undefined) throw new Error(`compose.yaml has no service ${name}`);
  return service;
}

describe('compose.yaml', () => {
  it('has service and PostGIS without a profile, and worker, backup, GeoServer and Airflow in profiles', () => {
    const profiles = Object.entries(services).map(([name, service]) => [name, service.profiles ?? []]);
    expect(Object.fromEntries(profiles)).toEqual({
      service: [],
      worker: ['worker'],
      backup: ['backup'],
      database: [],
      geoserver: ['geoserver'],
      airflow: ['airflow'],
    });
    expect(serviceOf('database').image).toMatch(/^postgis\//);
  });

  it('contains no secret, and only variables of .env.example', () => {
    const secrets = Object.values(services).flatMap(({ environment }) =>
      Object.entries(environment).filter(([name]) => /PASSWORD|SECRET|TOKEN|_KEY/.test(name)),
    );
    expect(secrets.length).toBeGreaterThan(3);
    expect(secrets.filter(([, value]) => !/^\$\{\w+:(-|\?[^}]*)\}$/.test(String(value)))).toEqual([]);
    const used = [...text.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
    expect(() => interpolate(serviceOf('service').environment['DB_PASSWORD'] ?? '', {})).toThrow(
      'DB_PASSWORD is empty',
    );
  });

  it('mounts code and data in service, worker and backup, gives these a read-only root file system, and keeps data in volumes', () => {
    const mounted = ['${BACKEND_CODE_DIR:-.}:/app:ro', 'data:/app/data'];
    for (const name of ['service', 'worker', 'backup']) {
      expect(serviceOf(name).read_only).toBe(true);
      expect(serviceOf(name).volumes).toEqual([...mounted, ...(name === 'backup' ? ['backups:/backups'] : [])]);
    }
    // Without this folder in the image, root would own the new volume.
    expect(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).toMatch(
      /mkdir -p .* \/backups && chown 10001:10001 .*\/backups/,
    );
    const named = Object.values(services)
      .flatMap((service) => service.volumes.map((volume) => volume.split(':')[0] ?? ''))
      .filter((name) => /^[a-z]+$/.test(name));
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(volumes).toSorted());
  });

  it('mounts into Airflow a folder of workflows that exists', () => {
    const source = interpolate(serviceOf('airflow').volumes[0] ?? '', {}).split(':')[0] ?? '';
    expect(existsSync(join(ROOT, source, 'headwater_dag.py'))).toBe(true);
  });
});

const { make, missing } = findPostgres();
if (make === undefined) console.log(`skipped: the services of compose.yaml as processes. ${missing}`);

describe.skipIf(make === undefined)('the services of compose.yaml as processes', () => {
  let cluster: Cluster;
  let folder = '';
  let metricsPort = '';
  let variables: Readonly<Record<string, string>> = {};
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-compose-'));
    if (make !== undefined) cluster = make();
    const ports = [await freePort(), await freePort()] as const;
    metricsPort = String(await freePort());
    variables = {
      BACKEND_PORT: String(ports[0]),
      MAPSERVER_PORT: String(ports[1]),
      DB_NAME: 'postgres',
      DB_USER: cluster.role,
      DB_PASSWORD: 'not checked by this PostgreSQL',
      METRICS_TOKEN: 'a token of sixteen characters',
    };
  });
  afterAll(() => {
    cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const environmentOf = (name: string): Record<string, string> => {
    const given = Object.entries(serviceOf(name).environment).map(([key, value]) => [
      key,
      interpolate(value, variables)
        .replace(/^\/app\/data$/, join(folder, 'data'))
        .replace(/^\/tmp\//, `${folder}/`)
        .replace(/^database$/, cluster.folder),
    ]);
    const ownPort = 'METRICS_PORT' in serviceOf(name).environment ? { METRICS_PORT: metricsPort } : {};
    return { ...childEnv(), HEADWATER_SAMPLE: 'off', WORKER: 'off', ...Object.fromEntries(given), ...ownPort };
  };
  const start = async (name: string, command = serviceOf(name).command ?? []) => {
    const args = ['--conditions=@headwater/source', await serverBundle(), ...command];
    const child = spawn(process.execPath, args, { cwd: folder, env: environmentOf(name) });
    return { child, output: collect(child), ended: once(child, 'exit') };
  };

  it('repeat a command of the image until they are stopped, even if the command fails', async () => {
    const env = { ...environmentOf('service'), PATH: `${dirname(process.execPath)}:${childEnv().PATH}` };
    const loop = spawn('sh', [join(ROOT, 'deploy/image/headwater.sh'), 'every', '0', 'healthy'], { env });
    const output = collect(loop);
    const ended = once(loop, 'exit');
    await waitForText(loop, output, {
      pattern: /(?:headwater: healthy failed; it is repeated in 0 s\n){2}/,
      ms: 60_000,
    }).finally(() => loop.kill('SIGTERM'));
    expect((await ended)[0]).toBe(0);
  });

  it('migrate, then serve, compute and make backups until they are stopped', async () => {
    const migration = await start('service', ['migrate']);
    expect([(await migration.ended)[0], migration.output.text]).toEqual([
      0,
      'the database has the tables of this version\n',
    ]);
    const service = await start('service');
    const url = `http://localhost:${variables['BACKEND_PORT']}`;
    try {
      await waitForText(service.child, service.output, { pattern: /Open http/, ms: 120_000 });
      const paths = ['/', '/admin/login/', '/geoserver/web/', '/api/health'];
      const answers = await Promise.all(paths.map((path) => fetch(`${url}${path}`)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const maps = await fetch(`http://localhost:${variables['MAPSERVER_PORT']}/geoserver/web/`);
      expect(maps.status).toBe(200);
      expect(existsSync(join(folder, 'headwater/started'))).toBe(true);

      const env = { ...environmentOf('service'), PATH: `${dirname(process.execPath)}:${childEnv().PATH}` };
      const healthy = spawn('sh', [join(ROOT, 'deploy/image/headwater.sh'), 'healthy'], { env });
      expect((await once(healthy, 'exit'))[0]).toBe(0);

      const worker = await start('worker');
      await waitForText(worker.child, worker.output, { pattern: /computes runs of queue nrm/, ms: 120_000 });
      const metrics = `http://localhost:${environmentOf('worker')['METRICS_PORT']}/metrics`;
      const headers = { authorization: `Bearer ${variables['METRICS_TOKEN']}`, 'x-forwarded-for': '203.0.113.1' };
      expect((await fetch(metrics, { headers })).status).toBe(200);
      expect((await fetch(metrics, { headers: { ...headers, authorization: '' } })).status).toBe(401);
      worker.child.kill('SIGTERM');
      expect((await worker.ended)[0]).toBe(0);

      const [again, seconds, ...backup] = (serviceOf('backup').command ?? []).map((each) =>
        each.replace(/^\/backups$/, join(folder, 'backups')),
      );
      expect([again, seconds]).toEqual(['every', '3600']);
      for (const text of [/backup: /, /no backup is due: /]) {
        const run = await start('backup', backup);
        expect([(await run.ended)[0], run.output.text]).toEqual([0, expect.stringMatching(text)]);
        expect(readdirSync(join(folder, 'backups'))).toEqual([expect.stringMatching(/^headwater-\d{8}T\d{6}Z$/)]);
      }
    } finally {
      service.child.kill('SIGTERM');
      expect((await service.ended)[0]).toBe(0);
    }
  });
});
