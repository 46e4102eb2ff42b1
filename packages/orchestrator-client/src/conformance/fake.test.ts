import { CONFORMANCE_DAGS } from './dags.test-helper.ts';
import type { Target } from './bench.test-helper.ts';
import { conformance, threeCallConformance } from './suite.test-helper.ts';
import { FakeOrchestrator, type FakeOptions } from '../testing/index.ts';

async function startFake(version: string): Promise<Target> {
  const users = { admin: { password: 'admin', role: 'Admin' }, viewer: { password: 'admin', role: 'Viewer' } } as const;
  const { url, close } = await new FakeOrchestrator({ version, dags: CONFORMANCE_DAGS, users }).listen();
  return {
    url,
    username: 'admin',
    password: 'admin',
    api: version.startsWith('3') ? 'v2' : 'v1',
    pollMs: 5,
    stop: close,
  };
}

conformance('the fake of Airflow 2', () => startFake('2.10.3'));
conformance('the fake of Airflow 3', () => startFake('3.0.2'));

async function startThreeCalls(options: FakeOptions, token?: string): Promise<Target> {
  const { url, close } = await new FakeOrchestrator({ threeCalls: 404, dags: CONFORMANCE_DAGS, ...options }).listen();
  return {
    url: `${url}/api/v1`,
    username: 'admin',
    password: 'admin',
    ...(token === undefined ? {} : { token }),
    api: 'v1',
    pollMs: 5,
    stop: close,
  };
}

threeCallConformance('a fake with three calls and basic authentication only', () => startThreeCalls({}));
threeCallConformance('a fake with three calls and bearer authentication only', () =>
  startThreeCalls({ threeCalls: 405, isBasicEnabled: false, tokens: ['t-1'] }, 't-1'),
);
threeCallConformance('a fake with three calls that closes the connection of all other calls', () =>
  startThreeCalls({ threeCalls: 'closed' }),
);
