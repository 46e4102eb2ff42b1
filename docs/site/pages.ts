/** A page of the site, and the text of the repository that it shows. */
export interface Page {
  /** Address below the root of the site, without extension. */
  readonly path: string;
  /** Markdown file, relative to the root of the repository; with `#` and a heading, only that section. */
  readonly source: string;
  /** Title in the list of pages; default: the name of the section. */
  readonly title?: string;
}

/** A group of pages in the list of pages. */
export interface Group {
  readonly title: string;
  readonly pages: readonly Page[];
}

const PACKAGES = [
  'http-service',
  'http-adapter-express',
  'http-adapter-fastify',
  'client',
  'core',
  'layer-kit',
  'land-cover',
  'terrain',
  'indicators',
  'accuracy',
  'stac',
  'stac-cli',
  'cql2',
  'raster',
  'ingest',
  'postgres',
  'identity',
  'net',
  'object-storage',
  'map-server',
  'map-view',
  'orchestrator-client',
  'orchestrator-backend',
  'earth-engine',
  'server',
  'testkit',
  'sample-world',
];

/** Groups of the site. Pages without a group are reached only by links. */
export const GROUPS: readonly Group[] = [
  {
    title: 'Tutorial',
    pages: [
      { path: 'tutorial/sample', source: 'docs/first-map.md', title: 'The first map' },
      { path: 'tutorial/own-tehsil', source: 'docs/your-own-tehsil.md', title: 'Your own tehsil' },
      { path: 'tutorial/real-sentinel-2', source: 'docs/real-sentinel-2.md', title: 'Real Sentinel-2 scenes' },
    ],
  },
  {
    title: 'Guides',
    pages: [
      { path: 'guides/embed', source: 'docs/embed.md', title: 'Embed' },
      { path: 'guides/own-layer', source: 'docs/write-a-pipeline.md', title: 'Your own layer' },
      { path: 'guides/own-store', source: 'docs/own-store.md', title: 'Your own store' },
      { path: 'guides/own-sign-in', source: 'docs/own-sign-in.md', title: 'Your own sign-in' },
      { path: 'guides/data-in', source: 'docs/places-and-scenes.md', title: 'Data in: places and scenes' },
      { path: 'guides/imports', source: 'packages/ingest/src/import/README.md', title: 'Data in: files and columns' },
      { path: 'guides/move-over', source: 'docs/move-over.md', title: 'Move over from a CoRE Stack backend' },
      { path: 'guides/clients', source: 'docs/clients.md', title: 'Calls of clients' },
      { path: 'guides/stac-api', source: 'docs/clients.md#STAC API' },
      { path: 'guides/qgis', source: 'docs/clients.md#Maps and GIS programs', title: 'QGIS and other programs' },
      { path: 'guides/operate', source: 'docs/operate.md', title: 'Operate' },
      { path: 'guides/workers', source: 'docs/native-install.md', title: 'Service and workers' },
      { path: 'guides/orchestrate', source: 'docs/orchestrate.md', title: 'Orchestrate' },
      { path: 'guides/airflow', source: 'deploy/airflow/README.md', title: 'Workflow for Airflow' },
      { path: 'guides/thresholds', source: 'docs/change-a-threshold.md', title: 'Change a threshold' },
    ],
  },
  {
    title: 'Concepts',
    pages: [
      { path: 'concepts/architecture', source: 'ARCHITECTURE.md', title: 'Architecture' },
      { path: 'concepts/glossary', source: 'CONTRIBUTING.md#Glossary' },
      { path: 'concepts/indicators', source: 'docs/indicators.md', title: 'Indicators' },
      { path: 'concepts/accuracy', source: 'examples/validate-against-reference/README.md', title: 'Accuracy' },
      { path: 'concepts/not-yet', source: 'docs/not-yet.md', title: 'Not yet' },
      { path: 'concepts/decisions', source: 'decisions/README.md', title: 'Decisions' },
    ],
  },
  {
    title: 'Packages',
    pages: PACKAGES.map((name) => ({ path: `packages/${name}`, source: `packages/${name}/README.md`, title: name })),
  },
];
