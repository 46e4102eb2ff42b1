import { readWorkflowFiles, writeWorkflowFiles } from '@headwater/orchestrator-client/workflow-files';

const written = writeWorkflowFiles({
  group: 'corestack',
  date: '2026-01-31',
  code: 'https://example.org/headwater',
  serviceApiBase: 'http://headwater:8000', // as the orchestrator reaches it
  pipelines: [
    {
      name: 'lulc_for_tehsil',
      title: 'Land cover',
      version: '1',
      description: 'Classes of land cover of each year',
      parameters: [{ name: 'start_year', type: 'integer' }],
      inputs: [],
      outputs: [{ id: 'Land_Cover', title: 'Land cover', description: 'Classes', format: 'GEEAsset' }],
    },
  ],
});
if (written.kind === 'faults') throw new Error(JSON.stringify(written.faults)); // field, problem, remedy of each
for (const { dagId, texts } of written.workflows) {
  // `dagId` is the DAG to trigger: lulc_for_tehsil_mixed. `texts` has dag, algorithms and datasets.
  const read = readWorkflowFiles(texts);
  console.log(dagId, read.kind === 'read' ? read.workflow.dag.params : read.faults);
}
