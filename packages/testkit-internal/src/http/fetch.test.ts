import { committedDocument } from './committed-document.fixture.ts';
import { describeHttpTarget } from './suite/index.ts';
import { fetchTarget } from '@headwater/testkit/http';

describeHttpTarget(fetchTarget, { document: committedDocument() });
