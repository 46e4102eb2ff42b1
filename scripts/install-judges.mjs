// Installs the programs from PyPI that check our files, figures and documents. CI runs this in the background. It
// does not fail here if an installation fails; `npm run test:layers` and `npm run test:peers` report that.
import { findJudges, PEER_MODULES } from './peers.mjs';
import { findStacApiJudges } from './stac-api-judges.mjs';

findJudges(PEER_MODULES);
const { reason } = findStacApiJudges({ install: true });
console.log(reason ?? 'the judges of the STAC API are installed');
