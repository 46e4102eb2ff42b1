import { describe } from 'vitest';
import { missingWorkflow } from '../packages/server/src/algorithms/workflow-task.fixture.ts';
import { openFakeAirflow } from './fake-airflow.fixture.ts';
import { describeOwnWorkflow } from './own-workflow-suite.fixture.ts';
import { describeWorkflow } from './workflow-suite.fixture.ts';

const missing = missingWorkflow('the workflow of deploy/airflow before the fake orchestrator');

// The same cases as `npm run test:airflow` has for a real Airflow.
describe.skipIf(missing !== undefined)('before the fake orchestrator', () => {
  describeWorkflow('the workflow of deploy/airflow', openFakeAirflow);
  describeOwnWorkflow('a server before the workflow of deploy/airflow', openFakeAirflow);
});
