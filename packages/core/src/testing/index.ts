export { createManualTime, type ManualTime } from './manual-time.ts';
export { createFakePixels, type FakeCall, type FakePixels, type FakePixelsOptions } from './fake-pixels.ts';
export { fakeScene, fakeScenes } from './fake-scenes.ts';
