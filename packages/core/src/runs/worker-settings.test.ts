import { describe, expect, it } from 'vitest';
import { WORKER_DEFAULTS, workerSettings } from './worker-settings.ts';

describe('workerSettings', () => {
  it('fills in defaults and a unique name', () => {
    const settings = workerSettings({ leaseMs: 5000 });
    expect(settings).toEqual({ ...WORKER_DEFAULTS, leaseMs: 5000, workerId: settings.workerId });
    expect(workerSettings().workerId).not.toBe(settings.workerId);
  });

  it('keeps replaced files for a day by default, and accepts 0', () => {
    expect(workerSettings().keepReplacedMs).toBe(86_400_000);
    expect(workerSettings({ keepReplacedMs: 0 }).keepReplacedMs).toBe(0);
    for (const keepReplacedMs of [-1, 1.5, Number.NaN]) {
      expect(() => workerSettings({ keepReplacedMs })).toThrow('keepReplacedMs');
    }
  });

  it('keeps events for 30 days and runs for 180 days by default; 0 means for ever', () => {
    const day = 86_400_000;
    expect(workerSettings()).toMatchObject({ keepEventsMs: 30 * day, keepRunsMs: 180 * day });
    expect(workerSettings({ keepEventsMs: 0, keepRunsMs: 0 })).toMatchObject({ keepEventsMs: 0, keepRunsMs: 0 });
    for (const name of ['keepEventsMs', 'keepRunsMs'] as const)
      expect(() => workerSettings({ [name]: -1 })).toThrow(name);
  });

  it.each(['concurrency', 'leaseMs', 'idleMs', 'progressMs', 'maxAttempts', 'retryMs'] as const)(
    'refuses a bad %s',
    (name) => {
      for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        const make = () => workerSettings({ [name]: value });
        expect(make).toThrow(
          expect.objectContaining({
            code: 'validation',
            fields: { [name]: [{ rule: 'invalid', message: expect.any(String) }] },
          }),
        );
      }
    },
  );
});
