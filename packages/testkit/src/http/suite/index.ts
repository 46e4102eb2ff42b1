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
import { exampleCases } from './examples.ts';
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
}

/**
 * The adapter conformance suite: every case over one adapter in a listening host. Call it at the top of a test file that vitest
 * runs; it serves sample data from memory on ports of this machine.
 */
export function describeHttpTarget(target: HttpTarget, options: HttpSuiteOptions = {}): void {
  const document = options.document ?? generateOpenApi(buildOperations(SAMPLE_PIPELINES), '0.0.0');
  describe(`http over ${target.name}`, () => {
    routingCases(target);
    bodyCases(target);
    queryAndHeaderCases(target);
    authCases(target);
    registrationCases(target);
    passwordCases(target);
    userRouteCases(target);
    managingCases(target);
    apiKeyCases(target);
    apiKeyRouteCases(target);
    streamCases(target);
    hostCases(target);
    exampleCases(target, document);
    methodCases(target);
    policyCases(target);
    fieldsCases(target);
    partCases(target);
    partFileCases(target);
    importFileCases(target);
    connectionCases(target);
    userLimitCases(target);
    originCases(target);
    preparedCases(target);
    publicDataCases(target);
    downloadCases(target);
    stacApiCases(target);
    mannersCases(target);
    reportCases(target);
    pageCases(target);
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
    hostileCases(target);
    rawAddressCases(target);
  });
}
