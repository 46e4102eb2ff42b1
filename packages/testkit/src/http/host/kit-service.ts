import { SILENT } from '@headwater/core';
import { createHeadwater, createScryptHasher, type Headwater, type HeadwaterOptions } from '@headwater/http-service';
import { createMemoryStores } from '@headwater/http-service/testing';
import { SAMPLE_PLACE } from './sample-place.ts';

/** Users of the suites; `operator` is a superuser. */
export const SAMPLE_USERS = {
  owner: { username: 'test_user_0042', password: 'example-password' },
  other: { username: 'someone_else', password: 'another-password' },
  operator: { username: 'operator', password: 'operator-password' },
} as const;

/** Secret that signs the tokens of the suites. It is published, so use it only in tests. */
export const SAMPLE_SECRET = 'a key for suites only, never for a real service';

/**
 * Creates a service with users, the sample tehsil and Earth observation account 1. By default, its stores are in
 * memory. The service validates all responses.
 */
export async function createKitService(options: Partial<HeadwaterOptions> = {}): Promise<Headwater> {
  const stores = options.stores ?? createMemoryStores();
  await stores.places.saveBundle(SAMPLE_PLACE);
  await stores.eoAccounts.create({ name: 'sample data', accountEmail: null, isVisible: true });
  const headwater = createHeadwater({
    baseUrl: 'http://headwater.example',
    secret: SAMPLE_SECRET,
    stores,
    logger: SILENT,
    validateResponses: true,
    ...options,
    identity: { hasher: createScryptHasher({ N: 1024, r: 8, p: 1 }), ...options.identity },
  });
  await headwater.accounts.createUser(SAMPLE_USERS.owner);
  await headwater.accounts.createUser(SAMPLE_USERS.other);
  await headwater.accounts.createSuperuser(SAMPLE_USERS.operator);
  return headwater;
}
