import { describe } from 'vitest';
import { conformance } from './suite.test-helper.ts';

/** Address of a real Airflow with the DAGs of scripts/airflow/dags, user and password in it; an Airflow 3 has the path `/api/v2`. */
const given = process.env['HEADWATER_TEST_AIRFLOW'] ?? '';
if (given === '')
  console.warn('skipped: a real Airflow: HEADWATER_TEST_AIRFLOW is not set; `npm run test:airflow` sets it');

describe.skipIf(given === '')('needs HEADWATER_TEST_AIRFLOW: `npm run test:airflow`', () => {
  const { origin, username, password, pathname } = new URL(given === '' ? 'http://none.test' : given);
  const api = pathname === '/api/v2' ? 'v2' : 'v1';
  const target = { url: origin, username, password, api, pollMs: 1000, stop: () => Promise.resolve() } as const;
  conformance('a real Airflow', () => Promise.resolve(target));
});
