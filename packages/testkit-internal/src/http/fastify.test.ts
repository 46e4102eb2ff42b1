import { committedDocument } from './committed-document.fixture.ts';
import { describeHttpTarget } from './suite/index.ts';
import { fastifyTarget } from './targets/fastify.ts';
import { sized } from '../../../../scripts/test-length.mjs';

describeHttpTarget(fastifyTarget, {
  document: committedDocument(),
  hostileRuns: sized(4, 12),
  cases: sized('adapter', 'every'),
});
