import { describe } from 'vitest';
import { conformance } from './suite.test-helper.ts';

/**
 * Address of an Airflow with the DAGs of scripts/airflow/dags, with user and password, and for Airflow 3 with
 * `/api/v2`.
 */
const address = process.env['HEADWATER_TEST_AIRFLOW'] ?? '';
if (address === '')
  console.warn('skipped: tests with a real Airflow: HEADWATER_TEST_AIRFLOW is not set; `npm run test:airflow` sets it');

describe.skipIf(address === '')('needs HEADWATER_TEST_AIRFLOW: `npm run test:airflow`', () => {
  const { origin, username, password, pathname } = new URL(address === '' ? 'http://none.test' : address);
  const api = pathname === '/api/v2' ? 'v2' : 'v1';
  const target = { url: origin, username, password, api, pollMs: 1000, stop: () => Promise.resolve() } as const;
  conformance('a real Airflow', () => Promise.resolve(target));
});
