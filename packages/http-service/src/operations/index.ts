import type { AnyPipeline, Auth } from '@headwater/core';
import type { Operation } from '../operation.ts';
import { accountOperations } from './accounts.ts';
import { apiKeyOperations } from './api-keys.ts';
import { assetOperations } from './assets.ts';
import { authOperations } from './auth.ts';
import { computeOperations } from './compute.ts';
import { importOperations } from './import-file.ts';
import { jobOperations } from './jobs.ts';
import { orderOperations } from './layer-order.ts';
import { mapOperations } from './map.ts';
import { organizationOperations } from './organizations.ts';
import { passwordOperations } from './passwords.ts';
import { type ActivationRule, placeOperations } from './places.ts';
import { publicDownloadOperations } from './public-downloads.ts';
import { publicLayerOperations } from './public-layers.ts';
import { publicPlaceOperations } from './public-places.ts';
import { publicReportOperations } from './public-reports.ts';
import { publicTableOperations } from './public-tables.ts';
import { registrationOperations } from './registration.ts';
import { runOperations } from './runs.ts';
import { stacOperations } from './stac.ts';
import { systemOperations } from './system.ts';
import { type WorkflowAccess, workflowOperations } from './workflow-runs.ts';
import { tableOperations } from './tables.ts';
import { teamOperations } from './teams.ts';
import { userOperations } from './users.ts';
import { workServiceOperations } from './work-service.ts';

/** What an operator may set of rows. */
export interface TableSettings {
  /** Largest upload for import, bytes; default 1 GB. */
  readonly importBytes?: number | undefined;
  /** Who makes places active; default: superusers. */
  readonly activation?: ActivationRule | undefined;
  /** Who may run the orchestrator's workflow; default: everybody. */
  readonly workflowAccess?: WorkflowAccess | undefined;
  /** Who may call the work service; default: everybody. */
  readonly workAuth?: Auth | undefined;
}

/** The table of operations for these pipelines: what is routed, documented and tested. */
export function buildOperations(pipelines: readonly AnyPipeline[], settings: TableSettings = {}): readonly Operation[] {
  return [
    ...systemOperations,
    ...authOperations,
    ...registrationOperations,
    ...passwordOperations,
    ...userOperations,
    ...organizationOperations,
    ...teamOperations,
    ...accountOperations,
    ...apiKeyOperations,
    ...computeOperations(pipelines),
    ...orderOperations,
    ...workServiceOperations(settings.workAuth ?? 'public'),
    ...jobOperations(settings.workAuth ?? 'public'),
    ...runOperations,
    ...stacOperations,
    ...assetOperations,
    ...tableOperations,
    ...importOperations(settings.importBytes),
    ...mapOperations,
    ...placeOperations(settings.activation ?? 'superuser'),
    ...publicPlaceOperations,
    ...publicLayerOperations,
    ...publicTableOperations,
    ...publicReportOperations,
    ...publicDownloadOperations,
    ...workflowOperations(settings.workflowAccess ?? 'public'),
  ] satisfies readonly Operation[];
}
