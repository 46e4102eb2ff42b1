// Import this entry only in test files, because the suites call vitest's `describe`.
import { describe } from 'vitest';
import { bodyCases } from './suite/bodies.ts';
import { connectionCases } from './suite/connections.ts';
import { methodCases } from './suite/methods.ts';
import { originCases } from './suite/origins.ts';
import { partFileCases } from './suite/part-files.ts';
import { partCases } from './suite/parts.ts';
import { policyCases } from './suite/policies.ts';
import { preparedCases } from './suite/prepared.ts';
import { queryAndHeaderCases } from './suite/query-and-headers.ts';
import { routingCases } from './suite/routing.ts';
import type { HttpTarget } from './host/target.ts';

export { fetchTarget } from './host/fetch-target.ts';
export { defineCase, type Harness, jsonInit, type RawAnswer, sendRaw, useHarness } from './host/harness.ts';
export { createKitService, SAMPLE_SECRET, SAMPLE_USERS } from './host/kit-service.ts';
export { listening, unusedConnections } from './host/listening.ts';
export { SMALL_LIMIT } from './probes/bodies.ts';
export { createProbes, type ProbeLog } from './probes/index.ts';
export { policyProbes } from './probes/policies.ts';
export { ANY, PROBE, PROBE_TAG } from './probes/shared.ts';
export { SAMPLE_GEOMETRY, SAMPLE_PLACE } from './host/sample-place.ts';
export { HOST_TEXT, type HostOptions, type HttpTarget, type Mount, type RunningHost } from './host/target.ts';

/** Test cases that depend on an adapter or its host. */
export function hostCases(target: HttpTarget): void {
  routingCases(target);
  methodCases(target);
  queryAndHeaderCases(target);
  originCases(target);
  policyCases(target);
  bodyCases(target);
  partCases(target);
  partFileCases(target);
  connectionCases(target);
  preparedCases(target);
}

/** Runs the conformance suite on a listening host. Call it at the top level of a vitest file. */
export function describeHost(target: HttpTarget): void {
  describe(`http over ${target.name}`, () => {
    hostCases(target);
  });
}
