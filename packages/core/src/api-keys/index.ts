export {
  createApiKeys,
  MAX_EXPIRY_DAYS,
  MAX_KEY_NAME,
  type ApiKeyDeps,
  type ApiKeyNamed,
  type ApiKeys,
  type ApiKeyWish,
  type MadeApiKey,
} from './api-keys.ts';
export { maskedText } from './key-text.ts';
