import { committedDocument } from './committed-document.fixture.ts';
import { describeHttpTarget } from './suite/index.ts';
import { fetchTarget } from './targets/fetch.ts';

describeHttpTarget(fetchTarget, { document: committedDocument() });
