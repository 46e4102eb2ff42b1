import { type Harness, type HttpTarget, useHarness as useKitHarness } from '@headwater/testkit/http';
import { createSampleService } from '../fixture/sample-service.ts';

export { defineCase, type Harness, jsonInit, type RawAnswer, sendRaw } from '@headwater/testkit/http';

/** Starts a host and the sample service before the test cases. Call the result inside of a test case. */
export const useHarness = (target: HttpTarget): (() => Harness) => useKitHarness(target, createSampleService);
