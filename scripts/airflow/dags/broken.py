"""A DAG file that Airflow cannot import, for tests of the import error. Airflow reads only files that contain the words "airflow" and "dag"."""
nonsense  # noqa: F821
