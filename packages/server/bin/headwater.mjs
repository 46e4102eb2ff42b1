#!/usr/bin/env node
// Node strips the types itself; the condition makes workspace imports resolve to sources, so no build is needed.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A Node that reads TypeScript: this one, or where it is too old the one that `npm ci` has brought. */
function runtime() {
  if (process.features.typescript) return process.execPath;
  return join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
}

const cli = fileURLToPath(new URL('../src/start.ts', import.meta.url));
// As with `npm start`, the checkout is the current folder: `.env` and a relative DATA_DIR mean the same from every subfolder.
const cwd = fileURLToPath(new URL('../../..', import.meta.url));
const args = ['--conditions=@headwater/source', cli, ...process.argv.slice(2)];
// Paths that are typed mean what lies in the caller's folder, which npm tells by this name too.
const env = { ...process.env, INIT_CWD: process.cwd() };
if (process.features.typescript && process.execve !== undefined && process.platform !== 'win32') {
  // One process, with the id that whoever started this knows: nothing stays behind when that is killed.
  process.chdir(cwd);
  process.execve(process.execPath, [process.execPath, ...args], env);
}
const child = spawn(runtime(), args, { cwd, env, stdio: 'inherit' });
// Handed on, or a service manager that stops this process would leave the service behind.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
