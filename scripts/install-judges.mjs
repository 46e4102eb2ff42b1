// Installs judges from PyPI. Does not fail, because `npm run test:layers` and `npm run test:peers` report a failure.
import { DJANGO_JUDGE, findJudges, findVenv, PEER_MODULES, STORAGE_JUDGE } from './peers.mjs';
import { findStacApiJudges } from './stac-api-judges.mjs';

findJudges(PEER_MODULES);
for (const judge of [STORAGE_JUDGE, DJANGO_JUDGE]) findVenv(judge, { install: true });
const { reason } = findStacApiJudges({ install: true });
console.log(reason ?? 'the judges of the STAC API are installed');
