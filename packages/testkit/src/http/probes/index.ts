import type { Operation } from '@headwater/http-service';
import { bodyProbes } from './bodies.ts';
import { echoProbes } from './echo.ts';
import { failingProbes } from './failing.ts';
import { methodProbes } from './methods.ts';
import { originProbes } from './origins.ts';
import { partFileProbes, type HeldLog } from './part-files.ts';
import { partProbes, type PartLog } from './parts.ts';
import { policyProbes } from './policies.ts';
import { preparedProbes } from './prepared.ts';
import { PROBE_TAG } from './shared.ts';
import { streamProbes, type StreamLog } from './streams.ts';
import { unsentStreamProbes, type UnsentLog } from './unsent-streams.ts';

/** Recorded events of the probes (test operations). */
export type ProbeLog = StreamLog & UnsentLog & PartLog & HeldLog;

/** Creates test operations of every kind. Returns them with their tag and the log of events. */
export function createProbes(): {
  readonly operations: readonly Operation[];
  readonly tags: Readonly<Record<string, string>>;
  readonly log: ProbeLog;
} {
  const streams = streamProbes();
  const unsent = unsentStreamProbes();
  const parts = partProbes();
  const partFiles = partFileProbes();
  const operations: readonly Operation[] = [
    ...echoProbes(),
    ...failingProbes(),
    ...streams.operations,
    ...unsent.operations,
    ...methodProbes(),
    ...policyProbes(),
    ...bodyProbes(),
    ...parts.operations,
    ...partFiles.operations,
    ...originProbes(),
    ...preparedProbes(),
  ];
  const log = { ...streams.log, ...unsent.log, ...parts.log, ...partFiles.log };
  return { operations, tags: { [PROBE_TAG]: 'operations for test suites only' }, log };
}
