// npm run test:browser: the pages in headless Chromium.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const chromium = process.env.HEADWATER_CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(chromium))
  console.log(`missing, its tests are skipped: ${chromium}; install Debian's chromium or set HEADWATER_CHROMIUM`);
const { status } = spawnSync(
  'vitest',
  [
    'run',
    'examples/reference-server/src/e2e/pages.test.ts',
    'examples/reference-server/src/e2e/docs.test.ts',
    'examples/reference-server/src/e2e/accuracy-report.test.ts',
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
