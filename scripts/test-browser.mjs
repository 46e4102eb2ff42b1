// npm run test:browser: the pages in headless Chromium, and the lines of the API reference.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { BROWSER_SUITES } from './slow-suites.mjs';

const chromium = process.env.HEADWATER_CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(chromium))
  console.log(`missing, its tests are skipped: ${chromium}; install Debian's chromium or set HEADWATER_CHROMIUM`);
const { status } = spawnSync('vitest', ['run', ...BROWSER_SUITES, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, HEADWATER_SLOW_SUITES: 'on' },
});
process.exit(status ?? 1);
