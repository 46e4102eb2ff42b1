// Installs the Airflow of `npm run test:airflow` if it is missing. CI runs this in the background; `npm run test:airflow` reports a
// failure.
import { findAirflow } from './airflow-server.mjs';

const { missing } = findAirflow();
console.log(missing ?? 'Airflow is installed');
