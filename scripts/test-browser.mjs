// `npm run test:browser`: tests pages and API examples in headless Chromium. Under CI=true, a missing Chromium is a
// failure.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { exitCodeOf, reportMissing } from './missing.mjs';
import { BROWSER_SUITES } from './slow-suites.mjs';

const chromium = process.env.HEADWATER_CHROMIUM ?? '/usr/bin/chromium';
const missing = existsSync(chromium) ? [] : [`${chromium}; install Debian's chromium or set HEADWATER_CHROMIUM`];
reportMissing(missing);
// A test file cannot remove old screenshots, because all test files write screenshots at the same time.
rmSync('.screenshots', { recursive: true, force: true });
const { status } = spawnSync('vitest', ['run', ...BROWSER_SUITES, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, HEADWATER_SLOW_SUITES: 'on' },
});
process.exit(exitCodeOf(status, missing));
