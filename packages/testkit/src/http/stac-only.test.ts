import { stacApiCases } from './suite/stac-api.ts';
import { fetchTarget } from './targets/fetch.ts';
stacApiCases(fetchTarget);
