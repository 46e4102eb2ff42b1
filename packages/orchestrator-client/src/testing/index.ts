export { FakeOrchestrator, type FakeOptions } from './fake-orchestrator.ts';
export type { Gate } from './gate.ts';
export type { Listening } from './listen.ts';
export type {
  FakeContext,
  FakeDag,
  FakeDagState,
  FakeRun,
  FakeTask,
  FakeTaskRun,
  FakeUser,
  Fault,
  RecordedRequest,
} from './model.ts';
export { VirtualClock } from './virtual-clock.ts';
export type { NewRun, World } from './world.ts';
