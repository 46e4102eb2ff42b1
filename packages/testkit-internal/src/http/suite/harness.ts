import { type Harness, type HttpTarget, useHarness as useKitHarness } from '@headwater/testkit/http';
import { createSampleService } from '../fixture/sample-service.ts';

export { defineCase, type Harness, jsonInit, type RawAnswer, sendRaw } from '@headwater/testkit/http';

/** Starts a host and the sample service for the cases. Call the result inside of a case. */
export const useHarness = (target: HttpTarget): (() => Harness) => useKitHarness(target, createSampleService);
