// `@headwater/core/timing`: concurrency limits, wake signals and time limits.
export { createKeyedLimiter, type KeyedLimiterOptions, type KeyedLimiter } from './keyed-limiter.ts';
export { createWakeSignal, type WakeSignal } from './wake-signal.ts';
export { ownTurn, within } from './timers.ts';
