import { buildOperations, generateOpenApi, type OpenApiDocument } from '@headwater/http-service';
import { describe } from 'vitest';
import { SAMPLE_PIPELINES } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { apiKeyRouteCases } from './api-key-routes.ts';
import { apiKeyCases } from './api-keys.ts';
import { authCases } from './auth.ts';
import { bodyCases } from './bodies.ts';
import { connectionCases } from './connections.ts';
import { dashboardScreenCases } from './dashboard-screens.ts';
import { downloadCases } from './downloads.ts';
import { dependencyCases } from './dependencies.ts';
import { exampleCases, isOfAdapters } from './examples.ts';
import { embedderCases } from './embedder.ts';
import { fieldsCases } from './fields.ts';
import { hostCases } from './host.ts';
import { publicCachingCases } from './public-caching.ts';
import { hostileCases, rawAddressCases } from './hostile.ts';
import { importFileCases } from './import-file.ts';
import { managingCases } from './managing.ts';
import { methodCases } from './methods.ts';
import { newcomerScreenCases } from './newcomer-screens.ts';
import { originCases } from './origins.ts';
import { drynessPipeline } from '../../pipelines/dryness-pipeline.ts';
import { outlinePipeline } from '../../pipelines/outline-pipeline.ts';
import { wetnessPipeline } from '../../pipelines/wetness-pipeline.ts';
import { pageCases } from './pages.ts';
import { partFileCases } from './part-files.ts';
import { partCases } from './parts.ts';
import { passwordCases } from './passwords.ts';
import { pipelineCases } from './pipelines.ts';
import { policyCases } from './policies.ts';
import { preparedCases } from './prepared.ts';
import { publicDataCases } from './public-data.ts';
import { queryAndHeaderCases } from './query-and-headers.ts';
import { regionCases } from './regions.ts';
import { registrationCases } from './registration.ts';
import { reportCases } from './reports.ts';
import { routingCases } from './routing.ts';
import { screenCases } from './screens.ts';
import { stacApiCases } from './stac-api.ts';
import { strangerCases } from './strangers.ts';
import { streamCases } from './streams.ts';
import { userLimitCases } from './user-limits.ts';
import { userRouteCases } from './users.ts';
import { validateCases } from './validate.ts';
import { workServiceCases } from './work-service.ts';
import { workServiceAccessCases } from './work-service-access.ts';
import { workServiceQueryCases } from './work-service-queries.ts';
import { workflowRunCases } from './workflow-runs.ts';

/** Options of a suite. */
export interface HttpSuiteOptions {
  /** OpenAPI document that the responses must match; default: generated from the operations table. */
  readonly document?: OpenApiDocument;
  /**
   * `adapter`: only cases that an adapter or its host can change. The service behind all adapters is the same, so the other cases
   * need only one of them. Default: every case.
   */
  readonly cases?: 'every' | 'adapter';
}

/**
 * Runs the adapter conformance suite on one adapter in a listening host. Call it at the top of a vitest file.
 * It serves sample data from memory on local ports.
 */
export function describeHttpTarget(target: HttpTarget, options: HttpSuiteOptions = {}): void {
  const { cases = 'every' } = options;
  const document = options.document ?? generateOpenApi(buildOperations(SAMPLE_PIPELINES), '0.0.0');
  describe(`http over ${target.name}`, () => {
    adapterCases(target);
    const isWhole = cases === 'every';
    hostileCases(target, isWhole ? 12 : 4);
    exampleCases(target, document, isWhole ? () => true : isOfAdapters);
    if (isWhole) serviceCases(target);
  });
}

/** Cases that an adapter or its host can change: paths, methods, headers, addresses, bodies, streams, connections, closing. */
function adapterCases(target: HttpTarget): void {
  routingCases(target);
  methodCases(target);
  queryAndHeaderCases(target);
  originCases(target);
  // Credentials come in headers, cookies and bodies; registration counts client addresses.
  policyCases(target);
  registrationCases(target);
  // Access by address depends on what the host knows about the client.
  strangerCases(target);
  bodyCases(target);
  fieldsCases(target);
  partCases(target);
  partFileCases(target);
  importFileCases(target);
  streamCases(target);
  connectionCases(target);
  // Streams are released when their readers disconnect.
  userLimitCases(target);
  // Raw bytes, their ranges and ETags, and HEAD of both; the workbook is a byte response too.
  preparedCases(target);
  publicCachingCases(target);
  downloadCases(target);
  // Prefixes, and the host's own routes.
  pageCases(target);
  // Cookies, forms and redirects.
  screenCases(target);
  dashboardScreenCases(target);
  hostCases(target);
  rawAddressCases(target);
}

/** Cases that the service decides, the same for every adapter that passes the cases above. */
function serviceCases(target: HttpTarget): void {
  authCases(target);
  passwordCases(target);
  newcomerScreenCases(target);
  userRouteCases(target);
  managingCases(target);
  apiKeyCases(target);
  apiKeyRouteCases(target);
  publicDataCases(target);
  stacApiCases(target);
  reportCases(target);
  embedderCases(target);
  pipelineCases(target, outlinePipeline);
  pipelineCases(target, wetnessPipeline, [outlinePipeline]);
  pipelineCases(target, drynessPipeline, [outlinePipeline, wetnessPipeline]);
  dependencyCases(target);
  validateCases(target);
  workServiceCases(target);
  workServiceQueryCases(target);
  regionCases(target);
  workServiceAccessCases(target);
  workflowRunCases(target);
}
