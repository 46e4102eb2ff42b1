import { describe, expect } from 'vitest';
import { PROBE_TAG } from '@headwater/testkit/http';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, useHarness } from './harness.ts';

interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly securitySchemes: Readonly<Record<string, unknown>> };
}

/** Test cases of an embedder's operations and policies in the OpenAPI document and reference. */
export function embedderCases(target: HttpTarget): void {
  describe("an embedder's rows", () => {
    const harness = useHarness(target);
    const document = async (): Promise<Document> =>
      (await (await harness().get('/api/v1/openapi.json')).json()) as Document;

    defineCase(target, 'their tag is described and comes last', async () => {
      const { tags } = await document();
      expect(tags.at(-1)).toEqual({ name: PROBE_TAG, description: 'operations for test suites only' });
    });
    defineCase(
      target,
      'their policies are security schemes; several policies of a row are alternatives, in the order of the row',
      async () => {
        const { paths, components } = await document();
        expect(Object.keys(components.securitySchemes)).toEqual(['bearer', 'session', 'apiKey', 'probeKey']);
        const security = (path: string): unknown =>
          (paths[path]?.['get'] as { security?: unknown } | undefined)?.security;
        expect(security('/probe/key/')).toEqual([{ probeKey: [] }]);
        expect(security('/probe/either/')).toEqual([{ probeKey: [] }, { bearer: [] }]);
        expect(security('/probe/guest/')).toEqual([{ bearer: [] }, {}]);
        expect(security('/probe/get/')).toEqual([]);
      },
    );
    defineCase(target, "every media type of a row's body is documented", async () => {
      const { paths } = await document();
      const media = (path: string, method: string): readonly string[] => {
        const row = paths[path]?.[method] as { requestBody: { content: Record<string, unknown> } };
        return Object.keys(row.requestBody.content);
      };
      expect(media('/probe/form/', 'post')).toEqual([
        'application/json',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
      ]);
      expect(media('/probe/raw/', 'put')).toEqual(['application/octet-stream']);
      expect(media('/probe/parts/', 'post')).toEqual(['multipart/form-data']);
    });
    defineCase(target, 'the reference page lists them under their tag, with their credentials', async () => {
      const page = await (await harness().get('/docs/')).text();
      expect(page).toContain(`<h2 id="tag-suite-probes">${PROBE_TAG}</h2>`);
      expect(page).toMatch(/id="probeEither"[^]*?probeKey or bearer token/);
    });
  });
}
