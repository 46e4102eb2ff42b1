import { join } from 'node:path';
import validateByNode from 'stac-node-validator';
import { describe, expect, it } from 'vitest';
import { findVenv, GEOPARQUET_JUDGE } from '../scripts/peers.mjs';
import { judge, noJudges, runPython, type StacDocument } from './judges.fixture.ts';
import { schemaLoader } from './schema-loader.fixture.ts';
import { runCommand, type ServerProcess } from './server-process.ts';

const geoparquet = findVenv(GEOPARQUET_JUDGE);
if ('reason' in geoparquet)
  console.log(`skipped: reading our GeoParquet file with stac-geoparquet: ${geoparquet.reason}`);

/** The published data to export and check. */
export interface ExportedWorld {
  readonly dataDir: string;
  readonly server: Pick<ServerProcess, 'baseUrl'>;
  readonly documents: readonly StacDocument[];
}

/** Suite that exports the catalog of a running server in every format, and reads it with independent programs. */
export function exportSuite(world: () => ExportedWorld): void {
  const items = (): readonly StacDocument[] => world().documents.filter(({ type }) => type === 'Feature');
  describe.skipIf(noJudges !== undefined)('the documents and their exports in independent programs', () => {
    const timeout = 300_000;
    it('stac-node-validator accepts every document', { timeout }, async () => {
      const { documents } = world();
      const loader = await schemaLoader();
      const { valid, children } = await validateByNode([...documents], { loader, verbose: true });
      const faults = children
        .filter((child) => !child.valid)
        .map(({ id, messages, results }) => ({ id, messages, results }));
      expect([faults, children.length, valid]).toEqual([[], documents.length, true]);
    });

    it('pystac validates the static export from its root and finds every Item in it', { timeout }, async () => {
      const folder = join(world().dataDir, 'static-export');
      await exported(world(), ['--out', folder]);
      const judged: unknown = JSON.parse(judge(VALIDATE_ALL, [join(folder, 'catalog.json')]));
      const ids = items().map(({ id }) => id);
      expect(judged).toEqual({ validated: ids.length, ids: ids.sort(), collections: 3 });
    });

    it.skipIf('reason' in geoparquet)(
      "stac-geoparquet reads our file's rows back as the same Items",
      { timeout },
      async () => {
        const [file, lines] = ['items.parquet', 'items.ndjson'].map((name) => join(world().dataDir, name));
        if (file === undefined || lines === undefined || 'reason' in geoparquet)
          throw new Error('there are no exported files to read');
        await exported(world(), ['--format', 'ndjson', '--out', lines]);
        const output = await exported(world(), ['--format', 'geoparquet', '--out', file]);
        const [, asText = ''] = /^(.*): written as JSON text/m.exec(output) ?? [];
        const comparison: unknown = JSON.parse(runPython(geoparquet.python, ['-c', READ_BACK, file, lines, asText]));
        expect(comparison).toEqual({ rows: items().length, differing: [], spoilt: items().length });
      },
    );
  });
}

async function exported({ dataDir, server }: ExportedWorld, args: readonly string[]): Promise<string> {
  const env = { PUBLIC_BASE_URL: server.baseUrl };
  const { code, output } = await runCommand({ dataDir, env, args: ['export-stac', ...args, '--replace'] });
  expect([code, output]).toEqual([0, output]);
  return output;
}

const VALIDATE_ALL = `
import json, sys
import pystac
root = pystac.Catalog.from_file(sys.argv[1])
ids = sorted(item.id for item in root.get_items(recursive=True))
collections = sum(isinstance(each, pystac.Collection) for each, _, _ in root.walk())
print(json.dumps({"validated": root.validate_all(), "ids": ids, "collections": collections}))`;

// Compares the Items of a stac-geoparquet file with the exported lines. Ignores null members, and different spellings
// of equal times. A changed copy of each Item proves that the comparison can fail.
const READ_BACK = `
import copy, json, sys
from datetime import datetime
import pyarrow.parquet as pq
from stac_geoparquet.arrow import stac_table_to_items
file, lines, text = sys.argv[1:4]
TIMES = ("datetime", "start_datetime", "end_datetime", "created", "updated")
def plain(value):
    if isinstance(value, dict): return {k: plain(v) for k, v in value.items() if v is not None}
    return [plain(v) for v in value] if isinstance(value, (list, tuple)) else value
def comparable(item, parse):
    item = plain(json.loads(json.dumps(item)))
    properties = item["properties"]
    for name in TIMES:
        if name in properties: properties[name] = datetime.fromisoformat(properties[name].replace("Z", "+00:00")).timestamp()
    for path in filter(None, text.split(", ")) if parse else ():
        if path in properties: properties[path] = json.loads(properties[path])
    return item
want = {(item["collection"], item["id"]): item for item in map(json.loads, open(lines))}
rows = list(stac_table_to_items(pq.read_table(file)))
pairs = [(comparable(want[(row["collection"], row["id"])], False), comparable(row, True)) for row in rows]
differing = [a["id"] for a, b in pairs if a != b]
spoilt = 0
for a, b in pairs:
    a = copy.deepcopy(a)
    a["assets"]["data"]["title"] += "x"
    spoilt += a != b
print(json.dumps({"rows": len(rows), "differing": differing, "spoilt": spoilt}))`;
