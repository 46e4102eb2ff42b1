import { describe } from 'vitest';
import { missingWorkflow } from '../packages/server/src/algorithms/workflow-task.fixture.ts';
import { openFakeAirflow } from './fake-airflow.fixture.ts';
import { describeOwnWorkflow } from './own-workflow-suite.fixture.ts';
import { describeWorkflow } from './workflow-suite.fixture.ts';

const missing = missingWorkflow('the workflow of deploy/airflow on the fake orchestrator');

// `npm run test:airflow` runs these cases on a real Airflow.
describe.skipIf(missing !== undefined)('on the fake orchestrator', () => {
  describeWorkflow('the workflow of deploy/airflow', openFakeAirflow);
  describeOwnWorkflow('a server in front of the workflow of deploy/airflow', openFakeAirflow);
});
