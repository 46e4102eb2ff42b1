"""A DAG file that Airflow cannot import; it tests the import error. Airflow reads only files that contain the words "airflow" and "dag"."""
nonsense  # noqa: F821
