import type { TehsilNames } from '@headwater/core';
import type { Ports } from '../../../deps.ts';
import type { ReportFacts } from '../page/sections.ts';
import { computingRoutes } from '../../../items/computing-routes.ts';
import { pageLinks } from '../../../pages/layout.ts';
import type { ReportSources } from './report-sources.ts';
import type { ReportFigures } from './listed-sections.ts';
import { reportSections } from './report-sections.ts';

/** Data of a report's page. */
export interface ReportParts {
  readonly names: TehsilNames;
  readonly sources: ReportSources;
  readonly figures: ReportFigures;
}

/** Data that the reports of a tehsil and of a micro-watershed have in common. */
export function reportCommon(
  deps: Ports<'baseUrl' | 'canCompute' | 'pipelines' | 'version'>,
  { names, sources, figures }: ReportParts,
): ReportFacts {
  const { state, district, tehsil } = names;
  return {
    prefix: pageLinks(deps.baseUrl).prefix,
    version: deps.version,
    place: { state, district, tehsil },
    routes: computingRoutes(deps),
    collection: sources.collection,
    sections: reportSections(figures),
    origins: sources.origins(),
    credits: sources.credits(),
    licences: sources.licences(),
  };
}
