import { CONFORMANCE_DAGS } from './dags.test-helper.ts';
import type { Target } from './bench.test-helper.ts';
import { conformance } from './suite.test-helper.ts';
import { FakeOrchestrator } from '../testing/index.ts';

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
