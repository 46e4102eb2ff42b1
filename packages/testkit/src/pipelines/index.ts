// Import this entry only in test files, because the cases call vitest's `describe`.
import type { AnyPipeline } from '@headwater/core';
import { createMemoryAssets } from '@headwater/core/memory';
import { createFakePixels, fakeScenes } from '@headwater/core/testing';
import {
  buildOperations,
  type ComputeParts,
  type Headwater,
  type OpenApiDocument,
  type Operation,
  type OperationExample,
} from '@headwater/http-service';
import { validateItem } from '@headwater/http-service/testing';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { fetchTarget } from '../http/host/fetch-target.ts';
import { defineCase, jsonInit } from '../http/host/harness.ts';
import { createKitService, SAMPLE_USERS } from '../http/host/kit-service.ts';
import type { HttpTarget, RunningHost } from '../http/host/target.ts';

/** Options of `describePipeline`. */
export interface PipelineCasesOptions {
  /** Pipelines whose layers the tested pipeline reads. The first example of each is computed before the test cases. */
  readonly needed?: readonly AnyPipeline[];
  /** Host of the service; default: the fetch handler. */
  readonly target?: HttpTarget;
  /**
   * Creates the compute parts (for example with `localCompute`) and a function that removes their files. Default: the
   * fakes of `@headwater/core/testing`, without satellite scenes.
   */
  readonly compute?: () => Promise<{ readonly compute: ComputeParts; readonly remove: () => Promise<void> }>;
}

// Adds `overwrite` to an example that expects 202. Otherwise the route of an alias would return the stored result of the
// first route, with status 200.
const startedAgain = (example: OperationExample): OperationExample =>
  example.status === 202 ? { ...example, query: { ...example.query, overwrite: 'true' } } : example;

interface Mounted {
  readonly host: RunningHost;
  readonly service: Headwater;
  /** Removes the files of the closed service. */
  readonly remove: () => Promise<void>;
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
  readonly bearer: Readonly<Record<string, string>>;
}

/**
 * Defines the test cases of a pipeline. Call it at the top level of a vitest file. With the default `compute`, the
 * pipeline must be able to compute its examples (the sample tehsil) without satellite scenes.
 */
export function describePipeline(pipeline: AnyPipeline, options: PipelineCasesOptions = {}): void {
  const { needed = [], target = fetchTarget, compute = fakeCompute } = options;
  describe(`pipeline ${pipeline.name} of an embedder`, () => {
    let mounted: Mounted;
    beforeAll(async () => {
      mounted = await mount({ target, compute }, [...needed, pipeline]);
      for (const { route, examples } of needed) {
        const [first] = buildOperations(needed).find(({ id }) => id === `compute_${route}`)?.examples ?? [];
        expect(examples.length).toBeGreaterThan(0);
        const answer = await mounted.ask(`/api/v1/${route}/?wait=true`, jsonInit(first?.body, mounted.bearer));
        expect(answer.status, await answer.text()).toBe(200);
      }
    });
    afterAll(async () => {
      await mounted.service.close();
      await mounted.host.close();
      await mounted.remove();
    });
    const rows = buildOperations([pipeline]).filter(({ id }) => id.startsWith('compute_'));

    defineCase(target, `${pipeline.name} has a route for its name and each alias`, async () => {
      const routes = [pipeline.route, ...pipeline.aliases];
      expect(rows.map(({ method, path }) => `${method} ${path}`)).toEqual(
        routes.map((name) => `POST /api/v1/${name}/`),
      );
    });

    for (const row of rows) {
      defineCase(target, `${row.id} returns 401 without a valid token`, async () => {
        for (const headers of [{}, { authorization: 'Bearer a.b.c' }, { 'x-api-key': 'abc.def' }]) {
          const answer = await mounted.ask(exampleUrl(row, { name: 'anonymous', status: 401 }), {
            method: 'POST',
            headers,
          });
          expect(answer.status).toBe(401);
        }
      });
      for (const example of row.examples) {
        defineCase(target, `${row.id}: ${example.name}`, async () => {
          const answer = await mounted.ask(
            exampleUrl(row, startedAgain(example)),
            jsonInit(example.body, mounted.bearer),
          );
          const body = await answer.text();
          expect(answer.status, body).toBe(example.status);
          if (example.status === 200) await checkPublished(JSON.parse(body) as Published, mounted);
        });
      }
    }

    const examples = rows.flatMap((row) => row.examples);
    const [first] = examples;
    // If no example has status 200, no case above waits for the end of a run. So this case does.
    if (first !== undefined && !examples.some(({ status }) => status === 200)) {
      defineCase(target, `${pipeline.name} computes and publishes its first example`, async () => {
        const url = `/api/v1/${pipeline.route}/?wait=true`;
        const answer = await mounted.ask(url, jsonInit(first.body, mounted.bearer));
        const body = await answer.text();
        expect(answer.status, body).toBe(200);
        await checkPublished(JSON.parse(body) as Published, mounted);
      });
    }

    defineCase(
      target,
      `${pipeline.name} is in the OpenAPI document with its fields and its first example`,
      async () => {
        const document = (await (await mounted.ask('/api/v1/openapi.json')).json()) as OpenApiDocument;
        const media = document.paths[`/api/v1/${pipeline.route}/`]?.['post']?.requestBody?.content['application/json'];
        expect(media).toMatchObject({ examples: { [first?.name ?? '']: { value: first?.body } } });
        expect(Object.keys(Object(media?.schema)['properties'] as object)).toEqual(
          expect.arrayContaining(Object.keys(Object(rows[0]?.examples[0]?.body) as object)),
        );
      },
    );

    defineCase(target, `${pipeline.name} is on the API reference page`, async () => {
      expect(await (await mounted.ask('/docs/')).text()).toContain(pipeline.summary);
    });

    defineCase(target, `${pipeline.name} names missing fields by their JSON names`, async () => {
      const answer = await mounted.ask(`/api/v1/${pipeline.route}/`, jsonInit({}, mounted.bearer));
      // A pipeline without required fields accepts an empty body.
      if (answer.status === 202) return;
      expect(answer.status).toBe(400);
      const { errors } = (await answer.json()) as { errors: Record<string, readonly string[]> };
      const sent = Object.keys(Object(rows[0]?.examples[0]?.body) as object);
      for (const field of Object.keys(errors)) expect(sent).toContain(field);
    });
  });
}

async function fakeCompute(): ReturnType<NonNullable<PipelineCasesOptions['compute']>> {
  const assets = createMemoryAssets();
  const pixels = createFakePixels({ assets });
  return { compute: { assets, pixels, earthObservation: fakeScenes([]) }, remove: async () => {} };
}

/** Path and query of an example. */
export function exampleUrl(row: Operation, { params = {}, query = {} }: OperationExample): string {
  const path = row.path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(params[name] ?? 'missing'));
  const search = new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}

async function mount(
  { target, compute: create }: Required<Pick<PipelineCasesOptions, 'target' | 'compute'>>,
  pipelines: readonly AnyPipeline[],
): Promise<Mounted> {
  const { compute, remove } = await create();
  const service = await createKitService({ pipelines, compute });
  await service.start();
  const host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
  const ask = (path: string, init?: RequestInit): Promise<Response> => fetch(host.url + path, init);
  const { access } = (await (await ask('/api/v1/auth/login/', jsonInit(SAMPLE_USERS.owner))).json()) as {
    access: string;
  };
  return { host, service, remove, ask, bearer: { authorization: `Bearer ${access}` } };
}

interface Published {
  readonly run_id: string;
  readonly stac_items: readonly {
    readonly links: readonly { readonly rel: string; readonly href: string }[];
    readonly assets: Readonly<Record<string, { readonly href: string }>>;
  }[];
}

/** Checks a run and its Items. All addresses in the Items must respond with 200. */
async function checkPublished({ run_id: run, stac_items: items }: Published, { ask, bearer }: Mounted): Promise<void> {
  expect(items.length).toBeGreaterThan(0);
  expect((await ask(`/api/v1/runs/${run}/`, { headers: bearer })).status).toBe(200);
  for (const item of items) {
    expect(validateItem(item, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
    const hrefs = [...item.links, ...Object.values(item.assets)].map(({ href }) => href);
    for (const href of hrefs) {
      const { pathname, search } = new URL(href);
      expect({ href, status: (await ask(pathname + search)).status }).toEqual({ href, status: 200 });
    }
  }
}
