import { createHeadwater, operation, type Operation, type Service } from '@headwater/http-service';
import { publishBenchData } from './public-data.ts';
import { createBenchUser, listing, ListQuery, PATHS, SECRET, started, StartBody } from './shared.ts';

const ROW = { tag: 'bench', responses: {}, errors: [], examples: [{ name: 'bench', status: 200 }] } as const;

function rows(auth: 'public' | 'bearer'): readonly Operation[] {
  return [
    operation({
      ...ROW,
      auth,
      id: `benchList_${auth}`,
      method: 'GET',
      path: PATHS[auth].list,
      summary: 'Lists rows',
      query: ListQuery,
      handler: ({ query }) => ({ status: 200, json: listing(query) }),
    }),
    operation({
      ...ROW,
      auth,
      id: `benchStart_${auth}`,
      method: 'POST',
      path: PATHS[auth].start,
      summary: 'Starts nothing',
      body: StartBody,
      handler: ({ body }) => ({ status: 202, json: started(body) }),
    }),
  ];
}

/** Creates our service with stores in memory, published data, and four more operations for the measurement. */
export async function benchService(): Promise<Service> {
  const { service, stores } = createHeadwater({
    baseUrl: 'http://localhost:8000',
    secret: SECRET,
    operations: [...rows('public'), ...rows('bearer')],
  });
  await createBenchUser(stores);
  await publishBenchData(stores);
  return service;
}
