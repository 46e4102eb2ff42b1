// `@headwater/core/timing`: queues of limited width, nudges and time limits over injected timers.
export { createLanes, type LaneOptions, type Lanes } from './lanes.ts';
export { createNudge, type Nudge } from './nudge.ts';
export { within } from './timers.ts';
