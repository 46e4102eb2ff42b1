#!/usr/bin/env node
// Installed, the built program runs. In a checkout its sources do: Node strips the types, and the condition makes workspace imports
// resolve to sources, so no build is needed.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const isCheckout = existsSync(path('../tsconfig.json'));
const start = path(isCheckout ? '../src/start.ts' : '../dist/start.js');
// As with `npm start`, the checkout is the current folder: `.env` and a relative DATA_DIR mean the same from every subfolder.
const cwd = isCheckout ? path('../../..') : process.cwd();
const args = [...(isCheckout ? ['--conditions=@headwater/source'] : []), start, ...process.argv.slice(2)];
// Paths that are typed mean those in the caller's folder, which npm calls by this name too.
const env = { ...process.env, INIT_CWD: process.cwd() };
const canRun = !isCheckout || process.features.typescript;

/** A Node that reads TypeScript: the one that `npm ci` has brought, for a checkout on an older one. */
const newerNode = () => join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');

if (canRun && process.execve !== undefined && process.platform !== 'win32') {
  // One process, with the id that its parent knows: nothing stays behind when that is killed.
  process.chdir(cwd);
  process.execve(process.execPath, [process.execPath, ...args], env);
}
const child = spawn(canRun ? process.execPath : newerNode(), args, { cwd, env, stdio: 'inherit' });
// Passed on, or a service manager that stops this process would leave the service behind.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
