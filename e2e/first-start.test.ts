import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { areaErrors, SAMPLE_PLACE, SAMPLE_YEARS, scoreClassMap } from '@headwater/sample-world';
import { runCommand, startServerProcess, type ServerProcess } from './server-process.ts';
import { signIn } from './client.ts';
import { expectSampleServed, pasteReadmeJoin } from './readme-join.fixture.ts';
import { crowding } from '../scripts/cpu-time.mjs';

interface Link {
  readonly rel: string;
  readonly href: string;
}
interface Item {
  readonly id: string;
  readonly links: readonly Link[];
  readonly assets: Readonly<Record<string, { readonly href: string; readonly type: string }>>;
  readonly properties: Readonly<Record<string, unknown>>;
}
interface Features {
  readonly features: readonly { readonly properties: { readonly uid: string }; readonly geometry: never }[];
}

const PUBLIC_ROUTES = [
  'get_active_locations',
  'get_admin_details_by_latlon',
  'get_generated_layer_urls',
  'get_mws_data',
  'get_mws_geometries',
  'get_mws_kyl_indicators',
  'get_mws_report',
  'get_mwsid_by_latlon',
  'get_tehsil_data',
  'get_village_geometries',
];

const HAS_CURL = (() => {
  try {
    execFileSync('curl', ['--version']);
    return true;
  } catch {
    console.log('skipped: the pasted command lines: they need curl and bash');
    return false;
  }
})();

describe('the first start of a new user', () => {
  let dataDir: string;
  let server: ServerProcess;
  let user: string;
  let password: string;
  let items: readonly Item[] = [];

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'headwater-first-'));
    server = await startServerProcess({ dataDir, makesDatabase: true, makesSample: true });
  });
  afterAll(async () => {
    await server.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  it('has a response of /api/health within 60 s, or proportionally longer on a busy machine', () => {
    expect(server.healthyAfterMs).toBeLessThan(60_000 * crowding());
  });

  it('prints address, superuser and password once, and finishes the first run within 3 minutes', async () => {
    const banner = await server.printed(/superuser {8}(test_user_\d{4})\n {2}password {9}(\S+)\n/, 120_000);
    [, user = '', password = ''] = banner;
    expect(server.output()).toContain(`Headwater        ${server.baseUrl}/`);
    await server.printed(/land cover of the sample is done in/, 180_000);
    expect(server.output().split(`password         ${password}`)).toHaveLength(2);
    expect(await readFile(join(dataDir, 'logs', 'headwater', 'headwater.log'), 'utf8')).not.toContain(password);
  }, 300_000);

  it('begins to create the sample while the database is being created, and creates the sample only once', () => {
    const output = server.output();
    const begun = output.indexOf('"step":"scenes","msg":"sample data"');
    expect(begun).toBeGreaterThan(-1);
    expect(begun).toBeLessThan(output.indexOf('"msg":"listening"'));
    expect(output.split('sample data are generated')).toHaveLength(2);
  });

  it('prints the URL to open last', async () => {
    await server.printed(new RegExp(`\\n  Open ${server.baseUrl}/\\n$`), 180_000);
  });

  it.skipIf(!HAS_CURL)(
    'makes all command lines of docs/clients.md work, from an account to a map of joined data, for a user without the permission to compute',
    async () => {
      // This test must run before the tests that change the result of the first start.
      await pasteReadmeJoin(server.baseUrl, dataDir);
      const reader = await signIn(server.baseUrl, 'asha', 'tall-river-42');
      const key = await expectSampleServed(reader);
      const { code, output } = await runCommand({
        dataDir,
        args: ['smoke-test', '--url', server.baseUrl],
        env: { PUBLIC_API_X_API_KEY: key },
      });
      expect([code, output]).toEqual([0, expect.stringContaining('10 of 10 routes')]);
      const paths = output.split('\n').flatMap((line) => /^200 .*\/api\/v1\/(\w+)\//.exec(line)?.[1] ?? []);
      expect(paths.toSorted()).toEqual(PUBLIC_ROUTES);
      expect((await reader.post('/api/v1/lulc_vector/', placeBody())).status).toBe(403);
    },
    120_000,
  );

  it('marks the sample as synthetic on its pages and Items, without a satellite credit', async () => {
    const { state, district, tehsil } = SAMPLE_PLACE;
    const collection = `/api/v1/stac/${[state, district, tehsil].join('/').toLowerCase()}/`;
    for (const path of ['/', collection]) {
      const page = await (await fetch(server.baseUrl + path, { headers: { accept: 'text/html' } })).text();
      expect([path, page]).toEqual([
        path,
        expect.stringContaining('<p class="foot" lang="en">Synthetic scenes, made by a program'),
      ]);
      expect([path, page]).toEqual([path, expect.not.stringContaining('Copernicus')]);
    }
    const id = `${[state, district, tehsil].join('_').toLowerCase()}_land_use_land_cover_raster_${SAMPLE_YEARS[0]}`;
    const item = await (await fetch(`${server.baseUrl}${collection}items/${id}/`)).json();
    expect(item).toMatchObject({ properties: { attribution: expect.stringMatching(/^Synthetic scenes/) } });
    expect(JSON.stringify(item)).not.toContain('Copernicus');
  });

  it('needs at most 110 MB in DATA_DIR, including sample and database', async () => {
    const bytes = await bytesIn(dataDir);
    console.log(`DATA_DIR after the first job: ${(bytes / 1e6).toFixed(1)} MB`);
    expect(bytes).toBeLessThan(110e6);
  });

  it.skipIf(!HAS_CURL)(
    'has three curl lines that work as pasted',
    () => {
      const lines = server
        .output()
        .split('\n')
        .filter((line) => /^(TOKEN=|curl )/.test(line));
      expect(lines).toHaveLength(3);
      const [login = '', compute = '', look = ''] = lines;
      const script = `${login}\necho "$TOKEN"\n${compute}\n${look}\n`;
      const run = (set: string): string => execFileSync('bash', ['-c', `${set}\n${script}`], { encoding: 'utf8' });
      const [token, computed = '', catalogue = ''] = run(`HEADWATER_PASSWORD='${password}'`).trim().split('\n');
      expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
      expect(JSON.parse(computed)).toMatchObject({
        status: 'success',
        reused: true,
        execution_time: expect.any(Number),
      });
      expect(JSON.parse(catalogue)).toMatchObject({ type: 'Feature', stac_version: '1.1.0' });
      expect(() => run('unset HEADWATER_PASSWORD')).toThrow(/HEADWATER_PASSWORD: set it first/);
      expect(() => run("HEADWATER_PASSWORD='wrong'")).toThrow(/TOKEN: log in first, with the right password/);
    },
    180_000,
  );

  it('publishes an Item per year and an Item for the vector', async () => {
    const client = await signIn(server.baseUrl, user, password);
    const body = {
      ...placeBody(),
      start_year: '2021',
      end_year: '2023',
      gee_account_id: '1',
      wait: true,
      overwrite: true,
    };
    const { status, body: answer } = await client.post<{ stac_items: Item[]; asset_ids: string[] }>(
      '/api/v1/lulc_v3/',
      body,
    );
    expect(status).toBe(200);
    items = answer.stac_items;
    expect(items.map(({ id }) => id)).toEqual(answer.asset_ids);
    expect(items).toHaveLength(SAMPLE_YEARS.length + 1);
    for (const item of items) expect(item.properties['headwater:synthetic'], item.id).toBe(true);
  }, 120_000);

  it('serves every asset of the Items to HEAD and Range requests, and every link, without credentials', async () => {
    const assets = items.flatMap((item) => Object.entries(item.assets));
    expect(assets.length).toBeGreaterThan(15);
    for (const [name, { href }] of assets) {
      const head = await fetch(href, { method: 'HEAD' });
      expect([head.status, href]).toEqual([200, href]);
      // Tables are skipped, because they do not support Range.
      if (name.startsWith('table_')) continue;
      const part = await fetch(href, { headers: { range: 'bytes=0-99' } });
      expect([part.status, (await part.arrayBuffer()).byteLength, href]).toEqual([206, 100, href]);
    }
    const links = items
      .flatMap((item) => item.links)
      .filter(({ rel }) => ['root', 'collection', 'parent', 'self'].includes(rel));
    for (const { href } of links) expect([(await fetch(href)).status, href]).toEqual([200, href]);
  });

  it('reaches overall accuracy 0.97 and kappa 0.85 in every year, and areas within 5 % (median) and 15 % (95th percentile)', async () => {
    const mws = JSON.parse(
      await readFile(join(dataDir, 'places', 'headwater-sample', 'mws.geojson'), 'utf8'),
    ) as Features;
    const zones = mws.features.map(({ properties, geometry }) => ({ uid: properties.uid, geometry }));
    for (const [index, year] of SAMPLE_YEARS.entries()) {
      const href = items[index]?.assets['cog']?.href ?? '';
      const map = join(dataDir, 'assets', new URL(href).pathname.replace('/api/v1/assets/', ''));
      const { confusion, areas } = await scoreClassMap({
        map,
        truth: join(dataDir, 'sample', `truth_${year}.tif`),
        zones,
      });
      const { count, median, p95 } = areaErrors(areas, 20);
      const figures = `year ${year}: overall accuracy ${confusion.overallAccuracy.toFixed(3)}, kappa ${confusion.kappa.toFixed(3)}; ${count} class areas over 20 ha: median error ${median.toFixed(4)}, p95 ${p95.toFixed(4)}`;
      console.log(figures);
      expect(confusion.overallAccuracy, figures).toBeGreaterThanOrEqual(0.97);
      expect(confusion.kappa, figures).toBeGreaterThanOrEqual(0.85);
      expect(count, figures).toBeGreaterThan(10);
      expect(median, figures).toBeLessThanOrEqual(0.05);
      expect(p95, figures).toBeLessThanOrEqual(0.15);
    }
  });

  it('refuses a second server on the same DATA_DIR; the message names process and folder', async () => {
    const { code, output } = await runCommand({ dataDir });
    expect(code).toBe(1);
    expect(output).toContain(`in use by process ${server.pid}`);
    expect(output).toContain(dataDir);
  });

  it('creates a superuser while the service runs', async () => {
    const { code, output } = await runCommand({
      dataDir,
      args: ['create-superuser', '--username', 'ravi'],
      input: 'tall-river-42\n',
    });
    expect([code, output]).toEqual([0, expect.stringContaining('superuser ravi')]);
    expect((await signIn(server.baseUrl, 'ravi', 'tall-river-42')).token).not.toBe('');
  });

  it('stops within 5 s on Ctrl-C, or proportionally longer on a busy machine', async () => {
    const { code, ms } = await server.stop('SIGINT');
    expect(code).toBe(0);
    expect(ms).toBeLessThan(5000 * crowding());
  });

  it('starts again within 15 s (longer on a busy machine), reuses all stored results, and links to its new address', async () => {
    server = await startServerProcess({ dataDir });
    expect(server.healthyAfterMs).toBeLessThan(15_000 * crowding());
    await server.printed(/sample data exist already[\s\S]*superuser {8}test_user_/, 60_000);
    expect(server.output()).not.toMatch(/(land cover of the sample|_layer) is done/);
    await server.printed(/ {2}Open http/, 60_000);
    const client = await signIn(server.baseUrl, user, password);
    const runs = await client.get<{ count: number }>('/api/v1/runs/');
    // Four runs of the first start, one with overwrite, and one for NDVI series.
    expect(runs.body.count).toBe(6);
    const path = new URL(items[0]?.links.find(({ rel }) => rel === 'self')?.href ?? '').pathname;
    const item = (await (await fetch(`${server.baseUrl}${path}`)).json()) as Item;
    expect(item.properties['version']).toBe('2');
    for (const { href } of Object.values(item.assets)) expect(href.startsWith(`${server.baseUrl}/`), href).toBe(true);
    expect((await fetch(item.assets['cog']?.href ?? '', { method: 'HEAD' })).status).toBe(200);
  });
});

/** Size of all files in a folder, bytes. Ignores files that are removed meanwhile. */
async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((a, b) => a + b, 0);
}

function placeBody(): { state: string; district: string; block: string } {
  return { state: SAMPLE_PLACE.state, district: SAMPLE_PLACE.district, block: SAMPLE_PLACE.tehsil };
}
