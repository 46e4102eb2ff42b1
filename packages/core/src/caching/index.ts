export {
  type ByteLimitedCache,
  type CacheLimits,
  type Computation,
  createByteLimitedCache,
  ownBytes,
} from './byte-limited-cache.ts';
export { createRecentValues, ownText, type RecentValues } from './recent-values.ts';
