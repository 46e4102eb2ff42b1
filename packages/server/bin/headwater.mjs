#!/usr/bin/env node
// An installed package runs the build. A checkout runs its sources, so no build is needed: Node strips the types, and the condition
// `@headwater/source` resolves workspace imports to sources.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const isCheckout = existsSync(path('../tsconfig.json'));
const start = path(isCheckout ? '../src/start.ts' : '../dist/start.js');
// In a checkout the command runs in the root folder, as `npm start` does. So the command uses the same `.env` and the same relative
// DATA_DIR in every subfolder.
const cwd = isCheckout ? path('../../..') : process.cwd();
const args = [...(isCheckout ? ['--conditions=@headwater/source'] : []), start, ...process.argv.slice(2)];
// Relative paths in arguments are resolved from the folder in INIT_CWD, which is the working folder of the caller. npm sets the
// same variable.
const env = { ...process.env, INIT_CWD: process.cwd() };
const canRun = !isCheckout || process.features.typescript;

/** Path of the Node that `npm ci` installed. That Node can run TypeScript; the Node of this process may be too old. */
const newerNode = () => join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');

if (canRun && process.execve !== undefined && process.platform !== 'win32') {
  // Replaces this process instead of starting a child, so that no child process remains if this process is killed.
  process.chdir(cwd);
  process.execve(process.execPath, [process.execPath, ...args], env);
}
const child = spawn(canRun ? process.execPath : newerNode(), args, { cwd, env, stdio: 'inherit' });
// Signals are forwarded to the child process. Otherwise a service manager would stop only this process, and the service would
// continue to run.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
