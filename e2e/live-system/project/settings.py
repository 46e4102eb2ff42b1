"""Settings of a small live system with an SQLite database in its folder."""

from pathlib import Path

SECRET_KEY = "only for tests"
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "rest_framework_api_key", "live"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": Path(__file__).parent / "live.sqlite3"}}
AUTH_USER_MODEL = "live.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
TIME_ZONE = "Asia/Kolkata"
