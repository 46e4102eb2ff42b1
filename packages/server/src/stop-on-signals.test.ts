import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';

const href = (file: string): string => new URL(file, import.meta.url).href;

async function exitCodeAfter(meanwhile: string): Promise<unknown> {
  const script = `
    import { watchFaults } from '${href('./stop-on-signals.ts')}';
    import { stopOnSignals } from '${href('./stop-on-signals.ts')}';
    const logger = { debug() {}, info() {}, error() {} };
    const { promise, resolve } = Promise.withResolvers();
    stopOnSignals(() => promise, logger, watchFaults(logger));
    process.once('SIGTERM', () => {
      ${meanwhile}
      // Node reports unhandled rejections before it calls the setImmediate callback.
      setImmediate(resolve);
    });
    setInterval(() => {}, 1000);
    process.kill(process.pid, 'SIGTERM');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' });
  const [code]: unknown[] = await once(child, 'exit');
  return code;
}

it('a stopped process exits with 0, or with 1 if a fault occurs before it ends', async () => {
  const codes = await Promise.all([exitCodeAfter(''), exitCodeAfter("Promise.reject(new Error('a fault'));")]);
  expect(codes).toEqual([0, 1]);
});
