import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { keepCompiledCode } from './compiled-code.ts';

const MODULE = JSON.stringify(new URL('compiled-code.ts', import.meta.url).href);

it('the cache of compiled code is in node_modules, unless the operator has set a folder', () => {
  const env: NodeJS.ProcessEnv = {};
  keepCompiledCode(env);
  expect(env['NODE_COMPILE_CACHE']).toBe(
    resolve(import.meta.dirname, '../../..', 'node_modules', '.cache', 'headwater'),
  );
  const chosen: NodeJS.ProcessEnv = { NODE_COMPILE_CACHE: '/elsewhere' };
  keepCompiledCode(chosen);
  expect(chosen['NODE_COMPILE_CACHE']).toBe('/elsewhere');
});

it("the cache of other Node versions is removed, but nothing else, and nothing in an operator's folder", () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-compiled-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const names = [`${process.version}-x64-1-0`, 'other', 'v0.1.0-x64-1-0', `${process.version}0-x64-1-0`];
  for (const name of names) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'module'), '');
  }
  keepCompiledCode({ NODE_COMPILE_CACHE: folder }, folder);
  expect(readdirSync(folder).sort()).toEqual(names.toSorted());
  keepCompiledCode({}, folder);
  expect(readdirSync(folder).sort()).toEqual(names.slice(0, 2).sort());
  expect(() => keepCompiledCode({}, join(folder, 'nowhere'))).not.toThrow();
});

it('threads that start later cache their compiled code', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-compiled-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'program.mjs');
  writeFileSync(
    program,
    `import { Worker } from 'node:worker_threads';
    import { keepCompiledCode } from ${MODULE};
    process.env.NODE_COMPILE_CACHE = process.argv[2];
    keepCompiledCode(process.env);
    new Worker(new URL(${MODULE}, import.meta.url));`,
  );
  const kept = join(folder, 'kept');
  const child = spawnSync(process.execPath, [program, kept], { encoding: 'utf8' });
  expect(child.stderr).toBe('');
  const files = readdirSync(kept, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(0);
});
