import { type Harness, type HttpTarget, useHarness as useKitHarness } from '@headwater/testkit/http';
import { createSampleService } from '../fixture/sample-service.ts';

export { defineCase, type Harness, jsonInit, type RawAnswer, sendRaw } from '@headwater/testkit/http';

/**
 * Starts host and sample service before the cases, and stops them after the cases. Call the returned function inside of
 * a case.
 */
export const useHarness = (target: HttpTarget): (() => Harness) => useKitHarness(target, createSampleService);
