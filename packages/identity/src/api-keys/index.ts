export {
  createApiKeys,
  DEFAULT_EXPIRY_DAYS,
  MAX_EXPIRY_DAYS,
  MAX_KEY_NAME,
  MOST_KEYS,
  type ApiKeyDeps,
  type ApiKeyNamed,
  type ApiKeys,
  type NewApiKeyRequest,
  type ListedApiKey,
  type CreatedApiKey,
} from './api-keys.ts';
export { maskedText, prefixOf, tooManyKeys } from './key-text.ts';
