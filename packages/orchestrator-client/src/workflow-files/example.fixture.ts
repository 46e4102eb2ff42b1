import { readWorkflowFiles, writeWorkflowFiles } from '@headwater/orchestrator-client/workflow-files';

const written = writeWorkflowFiles({
  group: 'corestack',
  date: '2026-01-31',
  code: 'https://example.org/headwater',
  serviceApiBase: 'http://headwater:8000',
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
if (written.kind === 'faults') throw new Error(JSON.stringify(written.faults));
for (const { dagId, texts } of written.workflows) {
  // `dagId`: lulc_for_tehsil_mixed. `texts`: dag, algorithms and datasets.
  const read = readWorkflowFiles(texts);
  console.log(dagId, read.kind === 'read' ? read.workflow.dag.params : read.faults);
}
