import { committedDocument } from './committed-document.fixture.ts';
import { describeHttpTarget } from './suite/index.ts';
import { expressTarget } from './targets/express.ts';

describeHttpTarget(expressTarget, { document: committedDocument(), cases: 'adapter' });
