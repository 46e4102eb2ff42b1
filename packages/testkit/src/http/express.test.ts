import { describeHttpTarget } from './suite/index.ts';
import { expressTarget } from './targets/express.ts';

describeHttpTarget(expressTarget);
