import { expect, test } from 'vitest';
import * as exported from './index.ts';

test('the public surface is pinned: adapters and embedders build on exactly these', () => {
  expect(Object.keys(exported).toSorted()).toEqual([
    'EXAMPLE_FILES',
    'EXAMPLE_ITEM',
    'EXAMPLE_LAYERS',
    'EXAMPLE_NAMES',
    'EXAMPLE_PLACE',
    'EXAMPLE_POINT',
    'EXAMPLE_RUN',
    'EXAMPLE_TABLE',
    'EXAMPLE_UID',
    'SERVER_LIMITS',
    'STATUS_OF',
    'USER_LIMITS',
    'buildOperations',
    'bytesBody',
    'createAddresses',
    'createHeadwater',
    'createScryptHasher',
    'createService',
    'fieldsBody',
    'generateOpenApi',
    'guardServer',
    'json',
    'nativePaths',
    'nodeRequest',
    'openApiPath',
    'operation',
    'partsBody',
    'prepared',
    'shellWord',
    'storedAddresses',
    'toFetchHandler',
  ]);
});
