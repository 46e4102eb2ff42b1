import { buildOperations, generateOpenApi, type OpenApiDocument } from '@headwater/http-service';
import { hostCases as hostRowCases } from '@headwater/testkit/http';
import { describePipeline } from '@headwater/testkit/pipelines';
import { describe } from 'vitest';
import { realPixels } from '../fixture/real-pixels.ts';
import { SAMPLE_PIPELINES } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { adminPlaceCases } from './admin-places.ts';
import { adminAccountCases } from './admin-accounts.ts';
import { adminPeopleCases } from './admin-people.ts';
import { adminScreenCases } from './admin-screens.ts';
import { adminUserCases } from './admin-users.ts';
import { apiKeyRouteCases } from './api-key-routes.ts';
import { adminRunCases } from './admin-runs.ts';
import { apiKeyCases } from './api-keys.ts';
import { authCases } from './auth.ts';
import { classPictureCases } from './class-pictures.ts';
import { crawlCases, prefixedCrawlCases } from './crawl.ts';
import { computeScreenCases } from './compute-screens.ts';
import { runScreenCases } from './run-screens.ts';
import { dashboardScreenCases } from './dashboard-screens.ts';
import { downloadCases } from './downloads.ts';
import { dependencyCases } from './dependencies.ts';
import { exampleCases, isOfAdapters } from './examples.ts';
import { embedderCases } from './embedder.ts';
import { fieldsCases } from './fields.ts';
import { formAttackCases } from './form-attacks.ts';
import { hostCases } from './host.ts';
import { hostSignInCases } from './host-sign-in.ts';
import { publicCachingCases } from './public-caching.ts';
import { hostileCases, rawAddressCases } from './hostile.ts';
import { importFileCases } from './import-file.ts';
import { languageCases } from './languages.ts';
import { managingCases } from './managing.ts';
import { metricsCases } from './metrics.ts';
import { newcomerScreenCases } from './newcomer-screens.ts';
import { drynessPipeline } from '../../pipelines/dryness-pipeline.ts';
import { outlinePipeline } from '../../pipelines/outline-pipeline.ts';
import { wetnessPipeline } from '../../pipelines/wetness-pipeline.ts';
import { operatorCases } from './operators.ts';
import { pageCases } from './pages.ts';
import { passwordCases } from './passwords.ts';
import { publicDataCases } from './public-data.ts';
import { regionCases } from './regions.ts';
import { registrationCases } from './registration.ts';
import { reportCases } from './reports.ts';
import { scopeRunCases } from './scope-runs.ts';
import { screenCases } from './screens.ts';
import { stacApiCases } from './stac-api.ts';
import { storedMarkupCases } from './stored-markup.ts';
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
  /** OpenAPI document that responses must match. Default: generated from the operations. */
  readonly document?: OpenApiDocument;
  /** `adapter` runs only test cases that depend on an adapter or its host. Default: `every`. */
  readonly cases?: 'every' | 'adapter';
  /** Hostile requests per operation; default 4. */
  readonly hostileRuns?: number;
}

/** Runs the conformance suite on an adapter in a listening host, at the top level of a vitest file. */
export function describeHttpTarget(target: HttpTarget, options: HttpSuiteOptions = {}): void {
  const { cases = 'every', hostileRuns = 4 } = options;
  const document = options.document ?? generateOpenApi(buildOperations(SAMPLE_PIPELINES), '0.0.0');
  describe(`http over ${target.name}`, () => {
    const isWhole = cases === 'every';
    adapterCases(target);
    // These cases include bodies that are refused while they are sent.
    adminPlaceCases(target, isWhole);
    // Only few requests are sent here, because `hostile/fetch.test.ts` sends many requests without a host.
    hostileCases(target, hostileRuns);
    exampleCases(target, document, isWhole ? () => true : isOfAdapters);
    if (isWhole) serviceCases(target);
  });
}

function adapterCases(target: HttpTarget): void {
  hostRowCases(target);
  // Registration is limited by the client's address, which the adapter reads.
  registrationCases(target);
  // Access without an account depends on the client's address, which the host reports.
  strangerCases(target);
  metricsCases(target);
  fieldsCases(target);
  importFileCases(target);
  operatorCases(target);
  streamCases(target);
  // An adapter must release a stream when the client disconnects.
  userLimitCases(target);
  // These cases use ranges, ETags and HEAD.
  publicCachingCases(target);
  downloadCases(target);
  // These cases use prefixes, and hosts with other routes.
  pageCases(target);
  classPictureCases(target);
  // These cases use cookies, forms and redirects.
  screenCases(target);
  dashboardScreenCases(target);
  adminScreenCases(target);
  formAttackCases(target);
  hostCases(target);
  rawAddressCases(target);
}

/** Test cases with the same result on every adapter that passes the cases above. */
function serviceCases(target: HttpTarget): void {
  authCases(target);
  hostSignInCases(target);
  passwordCases(target);
  newcomerScreenCases(target);
  adminPeopleCases(target);
  adminUserCases(target);
  adminRunCases(target);
  adminAccountCases(target);
  runScreenCases(target);
  scopeRunCases(target);
  computeScreenCases(target);
  languageCases(target);
  crawlCases(target);
  prefixedCrawlCases(target);
  storedMarkupCases(target);
  userRouteCases(target);
  managingCases(target);
  apiKeyCases(target);
  apiKeyRouteCases(target);
  publicDataCases(target);
  stacApiCases(target);
  reportCases(target);
  embedderCases(target);
  const real = { target, compute: realPixels };
  describePipeline(outlinePipeline, real);
  describePipeline(wetnessPipeline, { ...real, needed: [outlinePipeline] });
  describePipeline(drynessPipeline, { ...real, needed: [outlinePipeline, wetnessPipeline] });
  dependencyCases(target);
  validateCases(target);
  workServiceCases(target);
  workServiceQueryCases(target);
  regionCases(target);
  workServiceAccessCases(target);
  workflowRunCases(target);
}
