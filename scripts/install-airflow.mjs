// Installs Airflow if necessary. Does not fail, because `npm run test:airflow` reports a failure.
import { findAirflow } from './airflow-server.mjs';

const { missing } = findAirflow();
console.log(missing ?? 'Airflow is installed');
