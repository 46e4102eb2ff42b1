export { createLimit, type Limit } from './limit.ts';
export { backoffMs, isTransientStatus, retry, type Backoff, type RetryRules } from './retry.ts';
export { httpDate, retryAfterMs } from './retry-after.ts';
