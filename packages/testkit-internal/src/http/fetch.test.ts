import { committedDocument } from './committed-document.fixture.ts';
import { describeHttpTarget } from './suite/index.ts';
import { fetchTarget } from '@headwater/testkit/http';
import { sized } from '../../../../scripts/test-length.mjs';

describeHttpTarget(fetchTarget, { document: committedDocument(), hostileRuns: sized(4, 12) });
