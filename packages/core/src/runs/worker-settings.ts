import { invalidField } from '../errors.ts';
import { DEFAULT_QUEUE, MAX_ATTEMPTS } from './transitions.ts';
import type { WorkerSettings } from './types.ts';

const DAY_MS = 86_400_000;

/** Default settings of a worker. */
export const WORKER_DEFAULTS = {
  queue: DEFAULT_QUEUE,
  concurrency: 1,
  leaseMs: 30_000,
  idleMs: 1000,
  progressMs: 250,
  maxAttempts: MAX_ATTEMPTS,
  retryMs: 60_000,
  // Responses that name files of replaced Items may be cached for one day.
  keepReplacedMs: DAY_MS,
  keepEventsMs: 30 * DAY_MS,
  keepRunsMs: 180 * DAY_MS,
  keepRegionsMs: 30 * DAY_MS,
} as const satisfies Omit<WorkerSettings, 'workerId' | 'mostUnowned'>;

/** Returns the given settings and defaults for all others. Throws `validation` for an invalid setting. */
export function workerSettings(overrides: Partial<WorkerSettings> = {}): WorkerSettings {
  const settings = { workerId: globalThis.crypto.randomUUID(), ...WORKER_DEFAULTS, ...overrides };
  if (settings.queue === '') throw invalidField('queue', 'is empty; give the name of a queue, such as nrm.');
  for (const name of ['keepReplacedMs', 'keepEventsMs', 'keepRunsMs', 'keepRegionsMs'] as const) {
    const value = settings[name];
    if (!Number.isSafeInteger(value) || value < 0)
      throw invalidField(name, `is ${value}; give a whole number of milliseconds, 0 or more.`);
  }
  for (const name of ['concurrency', 'leaseMs', 'idleMs', 'progressMs', 'maxAttempts', 'retryMs'] as const) {
    const value = settings[name];
    if (!Number.isSafeInteger(value) || value < 1)
      throw invalidField(name, `is ${value}; give a whole number of at least 1.`);
  }
  const { mostUnowned } = settings;
  if (mostUnowned !== undefined && (!Number.isSafeInteger(mostUnowned) || mostUnowned < 1))
    throw invalidField('mostUnowned', `is ${mostUnowned}; give a whole number of at least 1, or leave it out.`);
  return settings;
}
