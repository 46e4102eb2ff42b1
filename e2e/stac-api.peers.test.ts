import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findStacApiJudges } from '../scripts/stac-api-judges.mjs';
import { startServerProcess, type ServerProcess } from './server-process.ts';

const judges = findStacApiJudges();
if ('reason' in judges) console.warn(`skipped: the STAC API in independent programs: ${judges.reason}`);

/** Conformance classes that stac-api-validator checks; it ignores all others. */
const CLASSES = [
  'core',
  'collections',
  'features',
  'item-search',
  'filter',
  'children',
  'browseable',
  'item-search#sort',
  'item-search#fields',
  'item-search#query',
];
const QUERY: Readonly<Record<string, string>> = {
  'comparison-field': 'gsd',
  'eq-value': '10',
  'neq-value': '5',
  'lt-value': '20',
  'lte-value': '10',
  'gt-value': '5',
  'gte-value': '10',
  'substring-field': 'title',
  'starts-with-value': 'Land',
  'ends-with-value': 'sample)',
  'contains-value': 'and',
  'in-field': 'version',
  'in-values': '1,2',
};

const CLIENT = `
import json, sys, warnings
warnings.simplefilter("error")
from pystac_client import Client
client = Client.open(sys.argv[1])
report = {"conforms": [client.conforms_to(name) for name in ["CORE", "COLLECTIONS", "ITEM_SEARCH", "FEATURES", "FIELDS", "SORT", "QUERY", "FILTER"]]}
collections = list(client.get_collections())
report["collections"] = [each.id for each in collections]
block = max(collections, key=lambda each: len(each.id))
report["items"] = [each.id for each in block.get_items()]
report["byId"] = block.get_item(report["items"][0]).id
report["children"] = [each.id for each in client.get_children()]
box = block.extent.spatial.bboxes[0]
def ids(**conditions):
    search = client.search(**conditions)
    return {"ids": [each.id for each in search.items()], "pages": len(list(search.pages_as_dicts())), "matched": search.matched()}
for method in ["GET", "POST"]:
    report[method] = {
        "all": ids(method=method, limit=2),
        "most": ids(method=method, limit=2, max_items=3),
        "box": ids(method=method, bbox=box, collections=[block.id]),
        "elsewhere": ids(method=method, bbox=[-10, -10, -9, -9]),
        "time": ids(method=method, datetime="2022-08/2022-09"),
        "point": ids(method=method, intersects={"type": "Point", "coordinates": [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]}),
        "sorted": ids(method=method, sortby="-properties.datetime"),
        "query": ids(method=method, query=["gsd>=10"]),
        "filter": ids(method=method, filter={"op": "<=", "args": [{"property": "gsd"}, 10]}, filter_lang="cql2-json"),
        "fields": [sorted(each) for each in client.search(method=method, fields=["properties.title"], limit=1, max_items=1).items_as_dicts()],
    }
report["text"] = ids(method="GET", filter="gsd <= 10", filter_lang="cql2-text")
print(json.dumps(report))`;

interface Found {
  readonly ids: readonly string[];
  readonly pages: number;
  readonly matched: number | null;
}

interface ClientReport {
  readonly conforms: readonly boolean[];
  readonly collections: readonly string[];
  readonly items: readonly string[];
  readonly byId: string;
  readonly children: readonly string[];
  readonly GET: Readonly<Record<string, Found>>;
  readonly POST: Readonly<Record<string, Found>>;
  readonly text: Found;
}

describe.skipIf('reason' in judges)('the STAC API in independent programs', () => {
  let dataDir: string;
  let server: ServerProcess;
  let root: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'headwater-stac-api-'));
    server = await startServerProcess({ dataDir });
    await server.printed(/\n {2}Open http/, 300_000);
    root = `${server.baseUrl}/api/v1/stac-api/`;
  }, 400_000);
  afterAll(async () => {
    await server.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  async function run(program: 'validator' | 'python', args: readonly string[]): Promise<string> {
    if ('reason' in judges) throw new Error(judges.reason);
    const { stdout, stderr } = await promisify(execFile)(judges[program], args, {
      env: judges.env,
      maxBuffer: 2 ** 26,
    });
    return stdout + stderr;
  }

  it('stac-api-validator finds no error in any class that it checks', { timeout: 300_000 }, async () => {
    const page: { features: readonly { collection: string; geometry: unknown }[] } = JSON.parse(
      await (await fetch(`${root}search?limit=1`)).text(),
    );
    const [item] = page.features;
    const report = await run('validator', [
      `--root-url=${root}`,
      '--log-level=WARN',
      `--collection=${item?.collection}`,
      `--geometry=${JSON.stringify(item?.geometry)}`,
      '--fields-nested-property=properties.title',
      ...CLASSES.flatMap((name) => ['--conformance', name]),
      ...Object.entries(QUERY).flatMap(([name, value]) => [`--query-${name}`, value]),
      '--validate-pagination',
    ]);
    // The exit code is 0 even after an internal failure of the validator.
    expect(report).toMatch(/Errors: none/);
    expect(report).not.toMatch(/Failed\./);
  });

  it('pystac-client browses, searches and counts, by GET and by POST', { timeout: 120_000 }, async () => {
    const report: ClientReport = JSON.parse(await run('python', ['-c', CLIENT, root]));
    expect(report.conforms).toEqual(report.conforms.map(() => true));
    expect(report.collections).toHaveLength(3);
    expect(report.children).toHaveLength(1);
    expect(report.items).toHaveLength(9);
    expect(report.byId).toBe(report.items[0]);
    for (const { all, most, box, elsewhere, time, point, sorted, query, filter, fields } of [report.GET, report.POST]) {
      expect(all).toEqual({ ids: report.items, pages: 5, matched: 9 });
      expect(most).toMatchObject({ ids: report.items.slice(0, 3), matched: 9 });
      for (const found of [box, point]) expect(found?.ids).toEqual(report.items);
      expect(elsewhere).toMatchObject({ ids: [], matched: 0 });
      expect(time?.ids).toHaveLength(5);
      expect(sorted?.ids.toSorted()).toEqual(report.items.toSorted());
      for (const found of [query, filter, report.text]) expect(found?.matched).toBe(3);
      expect(fields).toEqual([
        expect.arrayContaining(['assets', 'bbox', 'geometry', 'id', 'links', 'properties', 'type']),
      ]);
    }
  });
});
