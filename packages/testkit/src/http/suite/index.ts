import { buildOperations, generateOpenApi, type OpenApiDocument } from '@headwater/http-service';
import { describe } from 'vitest';
import { SAMPLE_PIPELINES } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { apiKeyRouteCases } from './api-key-routes.ts';
import { apiKeyCases } from './api-keys.ts';
import { authCases } from './auth.ts';
import { bodyCases } from './bodies.ts';
import { connectionCases } from './connections.ts';
import { downloadCases } from './downloads.ts';
import { dependencyCases } from './dependencies.ts';
import { exampleCases, isOfAdapters } from './examples.ts';
import { embedderCases } from './embedder.ts';
import { fieldsCases } from './fields.ts';
import { hostCases } from './host.ts';
import { mannersCases } from './manners.ts';
import { hostileCases, rawAddressCases } from './hostile.ts';
import { importFileCases } from './import-file.ts';
import { managingCases } from './managing.ts';
import { methodCases } from './methods.ts';
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
import { registrationCases } from './registration.ts';
import { reportCases } from './reports.ts';
import { routingCases } from './routing.ts';
import { stacApiCases } from './stac-api.ts';
import { streamCases } from './streams.ts';
import { userLimitCases } from './user-limits.ts';
import { userRouteCases } from './users.ts';
import { validateCases } from './validate.ts';
import { workServiceCases } from './work-service.ts';
import { workServiceDoorCases } from './work-service-doors.ts';
import { workServiceQueryCases } from './work-service-queries.ts';
import { workflowRunCases } from './workflow-runs.ts';

/** What a suite compares answers with. */
export interface HttpSuiteOptions {
  /** OpenAPI document that the examples' answers must keep; default: the one that the table gives. */
  readonly document?: OpenApiDocument;
  /**
   * `adapter`: only what an adapter or its host can change. The service behind every adapter is one:
   * the rest says nothing new over a second host. Default: every case.
   */
  readonly cases?: 'every' | 'adapter';
}

/**
 * The adapter conformance suite over one adapter in a listening host. Call it at the top of a test file that vitest
 * runs; it serves sample data from memory on ports of this machine.
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

/** What an adapter or its host can change: paths, methods, headers, addresses, bodies, streams, connections, the end of either. */
function adapterCases(target: HttpTarget): void {
  routingCases(target);
  methodCases(target);
  queryAndHeaderCases(target);
  originCases(target);
  // Credentials come in headers, cookies and bodies of any kind; registration counts the addresses of callers.
  policyCases(target);
  registrationCases(target);
  bodyCases(target);
  fieldsCases(target);
  partCases(target);
  partFileCases(target);
  importFileCases(target);
  streamCases(target);
  connectionCases(target);
  // Streams are given back when their readers leave.
  userLimitCases(target);
  // Bytes as they are, their ranges and their tags; HEAD of both; the workbook is a file of bytes too.
  preparedCases(target);
  mannersCases(target);
  downloadCases(target);
  // Prefixes, and the host's own routes.
  pageCases(target);
  hostCases(target);
  rawAddressCases(target);
}

/** What the service decides before and after an adapter: an answer has one status, one body and the headers that the cases above send. */
function serviceCases(target: HttpTarget): void {
  authCases(target);
  passwordCases(target);
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
  workServiceDoorCases(target);
  workflowRunCases(target);
}
