#!/usr/bin/env node
// An installed package runs the build. A checkout runs its sources: Node strips the types, and the condition
// `@headwater/source` resolves imports.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const isCheckout = existsSync(path('../tsconfig.json'));
const start = path(isCheckout ? '../src/start.ts' : '../dist/start.js');
// The command runs in the root folder of a checkout, so that every subfolder uses the same `.env` and DATA_DIR.
const cwd = isCheckout ? path('../../..') : process.cwd();
const args = [...(isCheckout ? ['--conditions=@headwater/source'] : []), start, ...process.argv.slice(2)];
// INIT_CWD is the caller's folder, from which relative paths in arguments are resolved.
const env = { ...process.env, INIT_CWD: process.cwd() };
const canRun = !isCheckout || process.features.typescript;

/** Path of the Node that `npm ci` installs, which can run TypeScript. */
const newerNode = () => join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');

if (canRun && process.execve !== undefined && process.platform !== 'win32') {
  // Replaces this process. A child process would continue to run after this process is killed.
  process.chdir(cwd);
  process.execve(process.execPath, [process.execPath, ...args], env);
}
const child = spawn(canRun ? process.execPath : newerNode(), args, { cwd, env, stdio: 'inherit' });
// Forwards the signals. Otherwise, a service manager would stop only this process, and the service would continue.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
