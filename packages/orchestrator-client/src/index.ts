export type { Dag, DagRun, Health, ImportFault, RunState, TaskInstance, Wellness } from './model/orchestrator.ts';
export type { RunIds } from './api/orchestrator-api.ts';
export { retryAfterOf } from './http/retry.ts';
export { createOrchestratorClient, OrchestratorClient } from './client.ts';
export { type Clock, systemClock } from './clock.ts';
export {
  type AnyOrchestratorError,
  type ExchangeDetails,
  type FailureDetails,
  isNotOffered,
  isOrchestratorError,
  isTransient,
  isWorthRetrying,
  OrchestratorError,
  type OrchestratorErrorCode,
  type RunDetails,
} from './errors.ts';
export type { Credentials, TokenProvider } from './http/credentials.ts';
export type { RequestNote } from './http/transport.ts';
export type { TaskLog } from './logs/task-log.ts';
export {
  type MarkedResult,
  type MarkerLimits,
  parseMarkers,
  RESULT_END,
  RESULT_START,
} from './markers/parse-markers.ts';
export { markedBlock } from './markers/marked-block.ts';
export type { Cancellation } from './runs/cancel.ts';
export type { RunEvent, WaitOptions } from './runs/follow.ts';
export { RunHandle, type TaskChoice } from './runs/handle.ts';
export type { RunReport } from './model/run-report.ts';
export type { StallDiagnosis } from './model/run-report.ts';
export type { JobSearch, TriggerOptions } from './runs/trigger.ts';
export type { Interval, OrchestratorOptions, UnpausePolicy } from './settings.ts';
export { RunWatcher, type WatcherOptions } from './watch/run-watcher.ts';
export type { PassNote, RunChange, WatcherEvents } from './watch/watcher-events.ts';
