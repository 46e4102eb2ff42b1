#!/usr/bin/env node
// A checkout runs the sources without a build, by the export condition `@headwater/source`.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const NEEDED = [22, 18];
const [major, minor] = process.versions.node.split('.').map(Number);
const isOld = major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1]);
const isCheckout = existsSync(new URL('../tsconfig.json', import.meta.url));
if (isOld) {
  process.stderr.write(`headwater-stac needs Node ${NEEDED.join('.')} or newer; this is ${process.version}\n`);
  process.exitCode = 2;
} else if (!isCheckout) await import('../dist/main.js');
else {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const args = ['--conditions=@headwater/source', main, ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
}
