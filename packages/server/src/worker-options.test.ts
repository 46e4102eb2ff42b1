import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config/read-config.ts';
import { readWorkerOptions } from './worker-options.ts';

test('by default a worker computes one run at a time, from queue nrm', () => {
  expect(readWorkerOptions([])).toEqual({ queue: 'nrm', concurrency: 1 });
  expect(readWorkerOptions(['--queue', 'water_body.2', '--concurrency=3'])).toEqual({
    queue: 'water_body.2',
    concurrency: 3,
  });
});

test.each([
  [['--queue', ''], /^--queue: "" is not a valid queue name/],
  [['--queue', 'a b'], /^--queue: "a b" is not a valid queue name/],
  [['--queue', 'ü'], /^--queue/],
  [['--queue', 'x'.repeat(65)], /^--queue/],
  [['--concurrency', '0'], /^--concurrency: "0" is not a number of runs; use a whole number from 1 to 64/],
  [['--concurrency', '65'], /^--concurrency/],
  [['--concurrency', '1.5'], /^--concurrency/],
  [['--concurrency', '1e1'], /^--concurrency/],
  [['--concurrency', ''], /^--concurrency/],
  [['--concurrency'], /--concurrency.*\nusage: headwater worker/s],
  [['--threads', '2'], /--threads.*\nusage: headwater worker/s],
  [['nrm'], /nrm.*\nusage: headwater worker/s],
] as const)('%j is refused with a message that names the option or argument', (args, message) => {
  expect(() => readWorkerOptions(args)).toThrow(ConfigError);
  expect(() => readWorkerOptions(args)).toThrow(message);
});

test('the service computes runs itself unless WORKER is off, and WORKER=off requires a database server instead of the embedded database', () => {
  expect(readConfig({}).worker).toBe(true);
  const remote = { DB_HOST: 'db', DB_NAME: 'n', DB_USER: 'u' };
  expect(readConfig({ ...remote, WORKER: 'off' }).worker).toBe(false);
  expect(() => readConfig({ WORKER: 'off' })).toThrow(/^WORKER: is off, but the embedded database .* set DB_HOST/);
  expect(() => readConfig({ ...remote, WORKER: 'maybe' })).toThrow(/^WORKER: expected on or off/);
});
