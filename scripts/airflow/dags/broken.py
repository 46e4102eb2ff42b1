"""A DAG file that Airflow cannot import (it reads only files that hold both words): what it tells of it."""
nonsense  # noqa: F821
