import { committedDocument } from './committed-document.fixture.ts';
import { describeHttpTarget } from './suite/index.ts';
import { expressTarget } from './targets/express.ts';
import { sized } from '../../../../scripts/test-length.mjs';

describeHttpTarget(expressTarget, {
  document: committedDocument(),
  hostileRuns: sized(4, 12),
  cases: sized('adapter', 'every'),
});
