// Installs the programs from PyPI that judge our files, figures and documents, for CI, which has something else to do meanwhile. What cannot be had is
// told again by `npm run test:layers` and `npm run test:peers`.
import { findJudges, PEER_MODULES } from './peers.mjs';
import { findStacApiJudges } from './stac-api-judges.mjs';

findJudges(PEER_MODULES);
const { reason } = findStacApiJudges({ install: true });
console.log(reason ?? 'the judges of the STAC API are there');
