import { STORES_SOURCES } from '../stores/sources.ts';
import { describeOver } from '@headwater/testkit/stores';
import { layerCases } from './layer-cases.ts';
import { refusedLayerCases } from './refused-layer-cases.ts';
import { lostResponseCases } from './lost-response-cases.ts';
import { rasterClassCases } from './raster-class-cases.ts';
import { seriesCases } from './series-cases.ts';
import { workbookCases } from './workbook-cases.ts';

for (const [name, source] of STORES_SOURCES)
  describeOver(`imports ${name}`, source, (get) => {
    workbookCases(get);
    seriesCases(get);
    layerCases(get);
    refusedLayerCases(get);
    rasterClassCases(get);
    lostResponseCases(get);
  });
