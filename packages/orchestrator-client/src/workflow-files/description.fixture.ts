import type { PipelineDescription, WorkflowDescription } from './index.ts';

/** Land cover in API and container mode. Inputs: an existing dataset, and one of another workflow. */
export const LAND_COVER: PipelineDescription = {
  name: 'lulc_for_tehsil',
  title: 'Land use and land cover: भूमि उपयोग',
  version: '1',
  description: 'Classes of land cover of each year: 10 m, no gaps',
  parameters: [
    { name: 'state', type: 'string' },
    { name: 'start_year', type: 'integer' },
    { name: 'region', type: 'array' },
  ],
  inputs: [
    {
      id: 'Micro_Watersheds',
      title: 'Micro-watersheds',
      description: 'Outlines of micro-watersheds',
      format: 'GeoServerLayer',
      asset: { id: 'projects/example/assets/mws', version: '1', region: 'pan_india' },
    },
    { id: 'Boundary', title: 'yes', description: '2026-01-01', format: 'GeoJSON' },
  ],
  outputs: [{ id: 'Land_Cover', title: 'Land cover', description: 'Classes', format: 'GEEAsset' }],
  container: {
    image: 'registry.example/headwater:0.1.0',
    module: 'headwater_algorithms.run',
    function: 'lulc_for_tehsil',
    volumes: [{ source: '/srv/data', target: '/data', readOnly: true }],
  },
};

/** A layer without a container, which only the service computes. */
const SLOPE: PipelineDescription = {
  name: 'generate_slope_percentage',
  title: 'Slope',
  version: '2',
  description: 'Slope in percent',
  parameters: [{ name: 'block', type: 'string' }],
  inputs: [],
  outputs: [{ id: 'Slope', title: 'Slope', description: 'Percent', format: 'GEEAsset' }],
};

export const DESCRIPTION: WorkflowDescription = {
  group: 'corestack',
  date: '2026-01-31',
  code: 'https://example.org/headwater',
  serviceApiBase: 'http://headwater:8000/',
  pipelines: [LAND_COVER, SLOPE],
};
