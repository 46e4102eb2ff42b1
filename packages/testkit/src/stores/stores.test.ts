import { STORES_SOURCES } from './sources.ts';
import { describeStores } from './suite.ts';

for (const [name, source] of STORES_SOURCES) describeStores(`stores ${name}`, source);
