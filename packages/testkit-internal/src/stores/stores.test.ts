import { describeOver, describeStores } from '@headwater/testkit/stores';
import { sameAsMemoryCases } from './same-as-memory.ts';
import { STORES_SOURCES } from './sources.ts';

for (const [name, source] of STORES_SOURCES) {
  describeStores(`stores ${name}`, source);
  describeOver(`random calls of stores ${name}`, source, sameAsMemoryCases);
}
