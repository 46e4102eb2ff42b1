import { describe } from 'vitest';
import { missingAirflow, openAirflowTarget } from './airflow-target.fixture.ts';
import { describeWorkflow } from './workflow-suite.fixture.ts';

describe.skipIf(missingAirflow !== undefined)('needs npm run test:airflow', () => {
  describeWorkflow('the workflow of deploy/airflow on a real Airflow', openAirflowTarget);
});
