import { describe } from 'vitest';
import type { HttpTarget } from '../targets/target.ts';
import { authCases } from './auth.ts';
import { bodyCases } from './bodies.ts';
import { exampleCases } from './examples.ts';
import { embedderCases } from './embedder.ts';
import { fieldsCases } from './fields.ts';
import { hostCases } from './host.ts';
import { methodCases } from './methods.ts';
import { originCases } from './origins.ts';
import { partCases } from './parts.ts';
import { policyCases } from './policies.ts';
import { preparedCases } from './prepared.ts';
import { queryAndHeaderCases } from './query-and-headers.ts';
import { routingCases } from './routing.ts';
import { streamCases } from './streams.ts';

/** The adapter conformance suite: every case over one adapter in a listening host. */
export function describeHttpTarget(target: HttpTarget): void {
  describe(`http over ${target.name}`, () => {
    routingCases(target);
    bodyCases(target);
    queryAndHeaderCases(target);
    authCases(target);
    streamCases(target);
    hostCases(target);
    exampleCases(target);
    methodCases(target);
    policyCases(target);
    fieldsCases(target);
    partCases(target);
    originCases(target);
    preparedCases(target);
    embedderCases(target);
  });
}
