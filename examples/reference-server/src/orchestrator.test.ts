import { expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { orchestratorParts } from './orchestrator.ts';

const REST = {
  ORCHESTRATOR_DAG_ID: 'headwater',
  ORCHESTRATOR_TOKEN: 'secret',
  SERVICE_API_BASE: 'http://headwater:8000',
};

it('no client of an orchestrator is made without its address, whatever else is set', () => {
  expect(orchestratorParts(readConfig({ ...REST, ORCHESTRATOR_API_BASE: '' }))).toEqual({});
  const parts = orchestratorParts(readConfig({ ...REST, ORCHESTRATOR_API_BASE: 'http://airflow:8080' }));
  expect(Object.keys(parts).sort()).toEqual(['backend', 'jobs']);
});
