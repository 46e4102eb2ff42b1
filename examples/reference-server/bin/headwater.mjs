#!/usr/bin/env node
// Node strips the types itself; the condition makes workspace imports resolve to sources, so no build is needed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const { status } = spawnSync(process.execPath, ['--conditions=development', cli, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
