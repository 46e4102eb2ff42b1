// Projects of `npm run test:packages`, which install packages as users do.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { findPostgres } from '../postgres-cluster.mjs';
import { runtimes } from './runtimes.mjs';
import { signInRecipes } from './sign-in.mjs';

/** Projects that `.ci/run` installs. */
export const FEW = ['stac', 'express'];

/** Limit of an adapter's import time as a multiple of zod's import time, because machines differ in speed. */
const COLD_IMPORT_RATIO = 7.5;
/** Maximum number of imports of each package. Each import runs in a new process. */
const MOST_IMPORTS = 20;

const linesOf = (text) => text.trimEnd().split('\n').length;

/** Types that declarations of packages with `node:` modules need. */
const TYPES = ['@types/node@24', '@types/express@5'];

/** Returns number and size of the packages that are added after the peers. */
async function added(project, packages, peers) {
  if (peers.length > 0) await project.npm('install', ...peers);
  const before = peers.length > 0 ? project.installed() : { packages: 0, mb: 0 };
  await project.npm('install', ...packages);
  const after = project.installed();
  return { packages: after.packages - before.packages, MB: Math.ceil((after.mb - before.mb) * 10) / 10 };
}

/**
 * Least processor time of an import of each package, ms. Other work can only raise a value. So imports are
 * repeated until `isEnough` accepts the least values.
 */
async function coldImports(project, names, isEnough) {
  const times = names.map(() => []);
  const least = () => times.map((each) => Math.round(Math.min(...each)));
  for (let i = 0; i < MOST_IMPORTS && !(i >= 5 && isEnough(least())); i++)
    for (const [index, name] of names.entries()) {
      const code = `const { cpuUsage } = process; const start = cpuUsage(); await import('${name}');
        const { user, system } = cpuUsage(start); console.log((user + system) / 1000)`;
      times[index].push(Number(await project.node(['--input-type=module', '-e', code])));
    }
  return least();
}

async function statesOf(url) {
  const response = await fetch(`${url}/api/v1/get_states/`);
  assert.equal(response.status, 200);
  return response.json();
}

async function host(project, { name, adapter, framework, types = [] }) {
  const text = project.program(name);
  const size = await added(project, [adapter], [...framework, 'zod@4']);
  await project.npm('install', '--save-dev', ...TYPES.filter((each) => each.startsWith('@types/node')), ...types);
  project.write(`${name}.ts`, text);
  await project.checkTypes(`${name}.ts`);
  const { url } = await project.serve(`${name}.ts`, text);
  assert.ok(await statesOf(url));
  assert.match(await project.node(['-p', `typeof require('${adapter}').createHeadwater`]), /function/);
  const isFast = ([ms, zodMs]) => ms <= COLD_IMPORT_RATIO * zodMs;
  const [ms, zodMs] = await coldImports(project, [adapter, 'zod'], isFast);
  assert.ok(
    isFast([ms, zodMs]),
    `the import of ${adapter} takes ${ms} ms, more than ${COLD_IMPORT_RATIO} times the ${zodMs} ms of zod`,
  );
  return { lines: linesOf(text), ...size, 'import ms': ms };
}

export const CASES = {
  /** The package `stac` alone, on every supported Node and in every kind of module. */
  async stac(project) {
    const text = project.program('stac');
    const size = await added(project, ['@headwater/stac'], []);
    project.write('stac.ts', text);
    await project.npm('install', '--save-dev', '@types/node@24');
    await project.checkTypes('stac.ts');
    project.write('stac.mjs', text);
    project.write('item.json', '{"type":"Feature","stac_version":"1.1.0"}');
    const code = `require('@headwater/stac').bboxOf({ type: 'Point', coordinates: [1, 2] }).join()`;
    for (const major of [20, 22, 24]) {
      assert.match(await project.node(['stac.mjs', 'item.json'], { major }), /id/);
      assert.equal(await project.node(['-p', code], { major }), '1,2,1,2');
    }
    assert.equal(size.packages, 1);
    return { lines: linesOf(text), ...size };
  },

  async express(project) {
    const row = await host(project, {
      name: 'express',
      adapter: '@headwater/http-adapter-express',
      framework: ['express@5'],
      types: ['@types/express@5'],
    });
    assert.ok(row.lines <= 4 && row.packages <= 60 && row.MB <= 25, JSON.stringify(row));
    return row;
  },

  async express4(project) {
    return host(project, {
      name: 'express',
      adapter: '@headwater/http-adapter-express',
      framework: ['express@^4.21'],
      types: ['@types/express@4'],
    });
  },

  async fastify(project) {
    return host(project, { name: 'fastify', adapter: '@headwater/http-adapter-fastify', framework: ['fastify@5'] });
  },

  /** Another major version of Fastify: npm must refuse it, and Fastify must refuse the adapter. */
  async fastify4(project) {
    const names = ['@headwater/http-adapter-fastify', 'fastify@4', 'zod@4'];
    await assert.rejects(project.npm('install', ...names), /ERESOLVE[^]*fastify@"\^5/);
    await project.npm('install', '--force', ...names);
    const text = project.program('fastify');
    await assert.rejects(
      project.serve('fastify.ts', text),
      /@headwater\/http-adapter-fastify - expected '5\.x' fastify version/,
    );
  },

  async hono(project) {
    const text = project.program('hono');
    const size = await added(project, ['@headwater/http-service'], ['hono@4', '@hono/node-server@2', 'zod@4']);
    await project.npm('install', '--save-dev', '@types/node@24');
    project.write('hono.ts', text);
    // The declarations of Hono use types of browsers (`dom`).
    await project.checkTypes('hono.ts', ['dom']);
    const { url } = await project.serve('hono.ts', text);
    assert.ok(await statesOf(url));
    return { lines: linesOf(text), ...size };
  },

  /** Recipes for better-auth, passport and OpenID Connect. */
  signIn: signInRecipes,

  /** The fetch handler in Bun, Deno and Next. */
  runtimes,

  /** Packages that also run on Node 20. */
  async node20(project) {
    const names = ['cql2', 'orchestrator-client', 'stac'].map((name) => `@headwater/${name}`);
    await project.npmOn(20, 'install', ...names, 'zod@4');
    const code = `
      import { parseCql2Text, writeCql2Text } from '@headwater/cql2';
      import { createOrchestratorClient } from '@headwater/orchestrator-client';
      import { FakeOrchestrator } from '@headwater/orchestrator-client/testing';
      import '@headwater/orchestrator-client/workflow-files';
      console.log(writeCql2Text(parseCql2Text('a > 1')), typeof createOrchestratorClient, typeof FakeOrchestrator);`;
    for (const major of [20, 22, 24])
      assert.match(await project.node(['--input-type=module', '-e', code], { major }), /a > 1 function function/);
  },

  /** A block function in TypeScript, which is compiled by `tsc` and runs in a worker thread. */
  async block(project) {
    await project.npm('install', '@headwater/core', '@headwater/raster', 'zod@4', '@types/node@24');
    project.write(
      'blocks.ts',
      `import type { CombineBlock } from '@headwater/core/pixel-plan';
      export const twos: CombineBlock = ({ outputs }) => void outputs['twos']?.fill(2);`,
    );
    project.write(
      'main.ts',
      `import { createPixelEngine } from '@headwater/raster';
      const pixels = createPixelEngine({ scratchDir: 'scratch' });
      const grid = { crs: 'EPSG:4326', west: 0, north: 1, pixelWidth: 1, pixelHeight: 1, cols: 1, rows: 1 } as const;
      const ones = await pixels.fromValues({ grid, values: Uint8Array.of(1) });
      const block = { module: new URL('./blocks.ts', import.meta.url).href, export: 'twos', params: {} };
      const outputs = [{ name: 'twos', type: 'uint8' }] as const;
      const work = { signal: AbortSignal.timeout(60_000), progress: () => {} };
      const planes = await pixels.combine({ kind: 'combine', grid, inputs: { ones }, block, outputs }, work);
      console.log(Object.keys(planes));
      process.exit();`,
    );
    await project.checkTypes('main.ts');
    await project.tsc(
      'blocks.ts',
      'main.ts',
      '--ignoreConfig',
      '--types',
      'node',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--outDir',
      'built',
    );
    assert.match(await project.node(['built/main.js']), /twos/);
  },

  /** Packages on PostgreSQL: a program of the guide, a bundle and the server. */
  async postgres(project) {
    const { make, missing } = findPostgres();
    if (missing !== undefined) {
      console.log(`skipped: postgres: ${missing}`);
      assert.notEqual(process.env.CI, 'true', missing);
      return undefined;
    }
    const text = project.program('postgres');
    const packages = ['http-adapter-express', 'land-cover', 'postgres', 'server'].map((name) => `@headwater/${name}`);
    const size = await added(project, packages, ['express@5', 'zod@4', 'pg-promise@12']);
    await project.npm('install', '--save-dev', ...TYPES);
    project.write('postgres.ts', text);
    await project.checkTypes('postgres.ts');
    const cluster = make();
    try {
      const { url } = await project.serve('postgres.ts', text, {
        env: { DATABASE_URL: cluster.address, SECRET: randomBytes(32).toString('hex') },
      });
      assert.ok(await statesOf(url));
      await bundled(project, cluster.address);
      await project.close();
      const { username, pathname, searchParams } = new URL(cluster.address);
      const host = searchParams.get('host');
      await computeSample(project, { DB_HOST: host, DB_NAME: pathname.slice(1), DB_USER: username });
    } finally {
      await project.close();
      cluster.remove();
    }
    assert.ok(linesOf(text) <= 10);
    return { lines: linesOf(text), ...size };
  },

  /** The package `server`, installed by pnpm, with an embedded database and a worker. */
  async sample(project) {
    await project.pnpm('add', '@headwater/server');
    await computeSample(project, {});
  },
};

async function computeSample(project, database) {
  const args = ['node_modules/@headwater/server/bin/headwater.mjs'];
  const env = { ...database, DATA_DIR: `${project.folder}/data` };
  const server = await project.serve('headwater', undefined, { args, env });
  const done = /land cover of the sample is done in/;
  for (const until = Date.now() + 240_000; !done.test(server.output()); await pause(250))
    assert.ok(Date.now() < until, `the sample is not computed after 240 s:\n${server.output()}`);
  const collections = await (await fetch(`${server.url}/api/v1/stac-api/collections`)).json();
  assert.ok(collections.collections.length > 0, 'no Collection is published');
}

/** A bundle must fail if it contains a package that loads its own files. The error names this package. */
async function bundled(project, address) {
  const { build } = await import('esbuild');
  const code = `
    import { readMigrations } from '@headwater/postgres';
    import { createPixelEngine } from '@headwater/raster';
    console.log((await readMigrations()).length);
    console.log(await createPixelEngine({ scratchDir: 'scratch' }).probe());
    process.exit();`;
  project.write('app.mjs', code);
  const bundle = async (format, external) => {
    const outfile = `${project.folder}/out/app.${format === 'esm' ? 'mjs' : 'cjs'}`;
    const entryPoints = [`${project.folder}/app.mjs`];
    // CommonJS packages in the bundle need `require`, which ES modules do not have.
    const banner = "import { createRequire as of } from 'node:module'; const require = of(import.meta.url);";
    const common = { entryPoints, bundle: true, platform: 'node', logLevel: 'silent', outfile };
    await build({ ...common, format, external, ...(format === 'esm' ? { banner: { js: banner } } : {}) });
    return project.node([outfile], { env: { DATABASE_URL: address } });
  };
  await assert.rejects(bundle('esm', []), /@headwater\/postgres does not find .*--external:@headwater\/postgres/);
  await assert.rejects(
    bundle('esm', ['@headwater/postgres']),
    /@headwater\/raster does not find .*--external:@headwater\/raster/,
  );
  assert.match(await bundle('esm', ['@headwater/postgres', '@headwater/raster']), /worker threads start/);
}
