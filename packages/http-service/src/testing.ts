/** Exports of other packages for `@headwater/testkit`, so that testkit depends only on `core` and this package. */
export { cql2Predicate, parseCql2Text } from '@headwater/cql2';
export {
  type ApiKey,
  type ApiKeyStore,
  type AuditEntry,
  createApiKeys,
  type DirectoryPage,
  groupOf,
  GROUPS,
  type ListedMember,
  type MembersOf,
  type NewApiKey,
  type NewUser,
  ORGANIZATION_ADMIN,
  type PageSession,
  type Policy,
  type RefreshRecord,
  type Stores,
  type User,
} from '@headwater/identity';
export { createMemoryStores } from '@headwater/identity/memory';
export { bboxOf, stacText, validateItem } from '@headwater/stac';
