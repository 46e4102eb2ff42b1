import type { PublishedLayers } from '../ports/published.ts';
import { retrying, type RetryPolicy } from './retry.ts';

/** The same publications; reads wait out a database that is away, so that a run does not fail for a restart of it. */
export function patientPublished(published: PublishedLayers, policy: RetryPolicy): PublishedLayers {
  return {
    item: (path, id) => retrying(() => published.item(path, id), policy),
    layer: (workspace, name) => retrying(() => published.layer(workspace, name), policy),
    layersOf: (tehsilId) => retrying(() => published.layersOf(tehsilId), policy),
    layerFile: (workspace, name) => retrying(() => published.layerFile(workspace, name), policy),
    tablesOf: (tehsilId) => retrying(() => published.tablesOf(tehsilId), policy),
    tableVersionsOf: (tehsilId) => retrying(() => published.tableVersionsOf(tehsilId), policy),
    tablesOfRun: (runId) => retrying(() => published.tablesOfRun(runId), policy),
    tableHead: (tehsilId, name) => retrying(() => published.tableHead(tehsilId, name), policy),
    table: (tehsilId, name) => retrying(() => published.table(tehsilId, name), policy),
    rowOf: (tehsilId, name, key) => retrying(() => published.rowOf(tehsilId, name, key), policy),
    rowsOf: (tehsilId, names, key) => retrying(() => published.rowsOf(tehsilId, names, key), policy),
    seriesOf: (tehsilId, uid) => retrying(() => published.seriesOf(tehsilId, uid), policy),
  };
}
