import { committedDocument } from './committed-document.fixture.ts';
import { describeHttpTarget } from './suite/index.ts';
import { fastifyTarget } from './targets/fastify.ts';

describeHttpTarget(fastifyTarget, { document: committedDocument(), cases: 'adapter' });
