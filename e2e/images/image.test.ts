import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAMPLE_PLACE } from '@headwater/sample-world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyDatabase } from '../../scripts/database-template.mjs';
import { buildah, IMAGE } from '../../scripts/image-base.mjs';
import { isLong } from '../../scripts/test-length.mjs';
import { type Container, openContainer, uidOf, USER } from './container.fixture.ts';

const isBuilt = process.env['HEADWATER_TEST_IMAGE'] === 'on';
if (!isBuilt) console.log('skipped: the image. `npm run test:images` builds it');

/** Default time between SIGTERM and SIGKILL of docker and Kubernetes, ms. */
const GRACE_MS = 10_000;
const MOST_BYTES = 400e6;
const READY = ['/', '/admin/login/', '/geoserver/web/', '/api/health'];

/** Files outside of /tmp in the container's own file system that are newer than `file`. */
const writtenSince = (file: string, root: string): string[] =>
  execFileSync(
    'find',
    [root, '-xdev', '-path', join(root, 'tmp'), '-prune', '-o', '-newer', file, '-not', '-type', 'd', '-print'],
    { encoding: 'utf8' },
  )
    .split('\n')
    .filter((line) => line !== '');

describe.skipIf(!isBuilt)('the image', () => {
  let container: Container;
  beforeAll(() => {
    container = openContainer();
  });
  afterAll(() => container.remove());

  it('is smaller than 400 MB, and has two tags: the version, and latest', () => {
    expect(container.size).toBeGreaterThan(100e6);
    expect(container.size).toBeLessThan(MOST_BYTES);
    const tags = (JSON.parse(buildah('images', '--json', IMAGE)) as readonly [{ readonly names: readonly string[] }])[0]
      .names;
    expect([...tags].sort()).toEqual([IMAGE, 'localhost/headwater:latest'].sort());
  });

  it('contains dependencies, but no code and no configuration of the machine that built it', () => {
    const { root } = container;
    expect(existsSync(join(root, 'node_modules/fastify/package.json'))).toBe(true);
    expect(existsSync(join(root, 'node_modules/vitest'))).toBe(false);
    expect(
      execFileSync('find', [join(root, 'app'), '-mindepth', '1'], { encoding: 'utf8' })
        .trim()
        .split('\n')
        .sort(),
    ).toEqual([join(root, 'app/data'), join(root, 'app/models')]);
    for (const path of [
      'root/.npmrc',
      'run/secrets/npm-ca',
      'etc/apt/sources.list',
      'etc/apt/sources.list.d/build.list',
      'etc/apt/apt.conf.d/99build',
    ])
      expect(existsSync(join(root, path)), path).toBe(false);
  });

  it('has a user other than root, a health check, and a path for the container marker outside of the data folder', () => {
    const { User, Env, Healthcheck, Entrypoint, Cmd } = container.config;
    expect({ User, Healthcheck: Healthcheck?.Test, Entrypoint, Cmd }).toEqual({
      User: `${USER}:${USER}`,
      Healthcheck: ['CMD', 'headwater', 'healthy'],
      Entrypoint: ['headwater'],
      Cmd: ['serve'],
    });
    expect(Env).toContain('HEADWATER_CONTAINER_MARKER=/tmp/headwater/started');
    expect(Env).toContain('DATA_DIR=/app/data');
  });

  it('refuses to start if /app is empty', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'headwater-empty-'));
    try {
      for (const code of [undefined, empty]) {
        const started = await container.run(container.config.Cmd, code === undefined ? {} : { code });
        const { code: exit } = await started.ended();
        expect(exit).toBe(2);
        expect(started.output()).toContain('/app contains no code');
        expect(started.output()).toContain('BACKEND_CODE_DIR');
      }
    } finally {
      rmSync(empty, { recursive: true });
    }
  });

  it('serves the mounted code as its user, writes below /app/data and /tmp only, and stops at SIGTERM', async () => {
    const { data, code, root } = container;
    await copyDatabase(join(data, 'db'));
    execFileSync('chown', ['-R', `${USER}:${USER}`, data]);
    const before = join(tmpdir(), `headwater-before-${process.pid}`);
    writeFileSync(before, '');
    const server = await container.run(container.config.Cmd, { code, env: { HEADWATER_SAMPLE: 'off' } });
    try {
      await server.healthy();
      const answers = await Promise.all(READY.map((path) => fetch(`${server.baseUrl}${path}`)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(uidOf(server.pid())).toBe(USER);
      const check = await container.run(['healthy'], { env: { BACKEND_PORT: new URL(server.baseUrl).port } });
      expect((await check.ended()).code).toBe(0);
      expect(server.output()).toContain('first start of this container');
      // No warning about packages, because all packages come from the image.
      expect(server.output()).not.toMatch(/node_modules exists|package-lock\.json of the code differs/);
      const { code: exit, ms } = await server.stop('SIGTERM');
      expect([exit, server.output().split('\n').slice(-4)]).toEqual([0, expect.anything()]);
      expect(ms).toBeLessThan(GRACE_MS);
    } finally {
      await server.stop('SIGKILL');
    }
    expect(writtenSince(before, root)).toEqual([]);
    expect(writtenSince(before, code).filter((path) => !path.startsWith(join(code, 'data')))).toEqual([]);
    expect(existsSync(join(root, 'tmp/headwater/started'))).toBe(true);
    rmSync(before);
    const unhealthy = await container.run(['healthy']);
    expect((await unhealthy.ended()).code).toBe(1);
  });

  it.skipIf(!isLong)('computes the sample with a read-only root file system', { timeout: 900_000 }, async () => {
    const { data } = container;
    rmSync(join(data, 'db'), { recursive: true, force: true });
    const server = await container.runReadOnly(container.config.Cmd, {});
    try {
      await server.healthy();
      expect(uidOf(server.pid())).toBe(USER);
      await expect.poll(server.output, { timeout: 600_000 }).toMatch(/land cover of the sample is done in/);
      const answer = await fetch(`${server.baseUrl}/api/v1/stac-api/search?limit=100`);
      const { features } = (await answer.json()) as { readonly features: readonly unknown[] };
      expect(features.length).toBeGreaterThan(0);
      expect(JSON.stringify(features)).toContain(SAMPLE_PLACE.tehsil);
      expect((await server.stop('SIGTERM')).code).toBe(0);
    } finally {
      await server.stop('SIGKILL');
    }
  });
});
