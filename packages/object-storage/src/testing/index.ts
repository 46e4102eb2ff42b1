export { createFakeBucket, type FakeBucket, type Fault, withFaults } from './fake-bucket.ts';
export { fakeGcs, type FakeTokens } from './fake-gcs.ts';
export { fakeS3 } from './fake-s3.ts';
