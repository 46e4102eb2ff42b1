"""A workflow for a plain Airflow 2.10 that runs the algorithm of a trigger's conf as its workflow files define it. It should also run on 3.x, but
was not tested there with a scheduler.

``headwater workflow-files --out DIR`` writes the files, one folder per algorithm. Settings of this file, each an Airflow variable or, if there is
none, an environment variable:

HEADWATER_WORKFLOWS   folder of the workflow files; default: ``headwater_workflows`` next to this file
HEADWATER_DAG_ID      id of the workflow (only as an environment variable); default: headwater
SERVICE_API_BASE      address of the service; replaces the address in the workflow files
HEADWATER_ALGORITHMS  path of ``headwater_algorithms``; default: next to this file
WORK_SERVICE_SECRET   secret of the service, if its operator has set one
HEADWATER_POOL        pool of the tasks (only as an environment variable); its slots limit the computations at the same time; default: default_pool
HEADWATER_PATIENCE_SECONDS  seconds for which the service may be unavailable, or its queue full, before a task fails; default: 300
HEADWATER_CALL_SECONDS      timeout of one call, seconds; a call is then repeated and joins the work that the first call started; default: 900

An algorithm of API mode is called at the service. An algorithm of container mode is run by the shim ``headwater_algorithms``: in a container of the
algorithm's image or, if HEADWATER_COMMAND is set in the environment of the workers, by that command on the worker.

A conf with ``op`` is a job of the work service (``POST /api/jobs``), which needs no workflow files. Its ``params`` are sent to ``/api/export-asset``
of the service, at SERVICE_API_BASE or otherwise at the conf's ``api_base``. The response, or the reason of a failure, is posted to
``/api/jobs/{run_id}/result``.
"""
import http.client
import json
import os
import re
import socket
import time
import urllib.error
import urllib.request
from datetime import datetime, timezone

try:
    from airflow.sdk import DAG, Variable
except ImportError:
    from airflow import DAG
    from airflow.models import Variable
try:
    from airflow.providers.standard.operators.bash import BashOperator
    from airflow.providers.standard.operators.python import BranchPythonOperator, PythonOperator
except ImportError:
    from airflow.operators.bash import BashOperator
    from airflow.operators.python import BranchPythonOperator, PythonOperator
try:
    from airflow.sdk.exceptions import AirflowFailException
except ImportError:
    from airflow.exceptions import AirflowFailException

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
# Maximum bytes of a response; a result contains Items, not pixels.
MOST_BYTES = 64 * 1024 * 1024
LONGEST_REASON = 2000
# Default of a conf's ``base_scheme``, as in the service.
USUAL_SCHEME = "indiasat"
PAUSE_SECONDS = 5
# A call that fails after this time, s, had reached the service. If the service is down, a proxy fails earlier.
HELD_SECONDS = 5
# Statuses of a service or its proxy while the service starts or stops.
TRANSIENT = (502, 503, 504)
# Status of a service whose queue is full.
FULL = 429
# Status of a proxy that got no response from the service; the service may not be running.
GATEWAY_TIMEOUT = 504


class ServiceError(Exception):
    """The service could not process the request. ``status``: status of its response; None if there was no response."""

    def __init__(self, text, status=None):
        super().__init__(text)
        self.status = status


def setting(name, default=None):
    """Returns the Airflow variable ``name``; if it is blank or not set, the environment variable, and otherwise the default."""
    try:
        value = Variable.get(name, None)
    except Exception:  # While a file is parsed, the database may be unavailable, and Airflow 3 offers no variables.
        value = None
    value = value or os.environ.get(name) or default
    return value


def at_parsing(name, default=None):
    """Returns a setting while the file is parsed. Reads only the environment, because each Airflow variable would be a query every few seconds."""
    return os.environ.get(name) or default


class _Loader(yaml.SafeLoader):
    """Reads the documents of workflow files, each with its tag and members."""


def _tagged(loader, suffix, node):
    return {"tag": suffix, **loader.construct_mapping(node, deep=True)}


_Loader.add_multi_constructor("!", _tagged)


def documents(folder, name):
    """Returns the tagged documents of one file; they may also be members of a list."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        found = list(yaml.load_all(file, Loader=_Loader))
    flat = [each for document in found for each in (document if isinstance(document, list) else [document])]
    return [each for each in flat if isinstance(each, dict)]


def algorithms():
    """Returns the algorithms of the workflow files: id -> parameters and execution modes."""
    root = setting("HEADWATER_WORKFLOWS", os.path.join(HERE, "headwater_workflows"))
    if not os.path.isdir(root):
        raise AirflowFailException(
            "HEADWATER_WORKFLOWS: there is no folder %s; create it with headwater workflow-files --out" % root
        )
    folders = [root] + sorted(os.path.join(root, name) for name in os.listdir(root))
    found = {}
    places = {}
    for folder in folders:
        if not os.path.isfile(os.path.join(folder, "stacd_dag.yaml")):
            continue
        types = {each["id"]: each for each in documents(folder, "stacd_dag.yaml") if each["tag"] == "Algorithm_Type"}
        for instance in documents(folder, "stacd_algorithm_repo.yaml"):
            kind = types.get(instance.get("type"))
            if instance["tag"] == "Algorithm_Instance" and kind is not None:
                if kind["id"] in found:
                    raise AirflowFailException(
                        "HEADWATER_WORKFLOWS: the algorithm %s is in %s and in %s; remove one of them"
                        % (kind["id"], places[kind["id"]], folder)
                    )
                places[kind["id"]] = folder
                declared = {parameter["name"]: parameter.get("default") for parameter in kind["params"]}
                found[kind["id"]] = {"parameters": declared, "modes": instance["execution_modes"]}
    return found


def chosen(conf):
    """Returns name, parameters, mode and settings of the mode of the algorithm that the conf names by ``pipeline``, ``algorithm`` or scheme."""
    known = algorithms()
    name = conf.get("pipeline") or conf.get("algorithm") or of_scheme(conf.get("base_scheme"), known)
    if name is None and len(known) == 1:
        name = next(iter(known))
    if not isinstance(name, str) or name not in known:
        raise AirflowFailException(
            "conf.pipeline: %s; algorithms in the workflow files: %s"
            % (_missing(conf) if name is None else "is %r, which is not known" % (name,), ", ".join(sorted(known)) or "none")
        )
    algorithm = known[name]
    enabled = {key: mode for key, mode in algorithm["modes"].items() if mode and mode.get("enabled") is True}
    if not enabled:
        raise AirflowFailException("%s has no enabled mode in its workflow files" % name)
    mode = min(enabled, key=lambda key: (enabled[key].get("priority") or 0, key != "docker"))
    # Only parameters that the algorithm declares are sent, because the conf may contain other data.
    conf = {**conf, "region": region_of(conf)}
    parameters = {key: conf[key] for key in algorithm["parameters"] if conf.get(key) is not None}
    return name, parameters, mode, enabled[mode]


def _missing(conf):
    return "is missing, and no algorithm computes regions by the scheme %r" % (conf.get("base_scheme") or USUAL_SCHEME,)


def of_scheme(scheme, known):
    """Returns the name of the algorithm that computes regions by this scheme, or by USUAL_SCHEME; None if no algorithm does."""
    wanted = scheme.strip().strip("'\"").strip().lower() if isinstance(scheme, str) else ""
    schemes = {algorithm["parameters"].get("base_scheme"): name for name, algorithm in known.items()}
    return schemes.get(wanted or USUAL_SCHEME)


def region_of(conf):
    """Returns the region of a conf, which contains either ``region`` or four sides. The service accepts both forms."""
    sides = [conf.get(side) for side in ("west", "south", "east", "north")]
    region = conf.get("region")
    is_given = region is not None and not (isinstance(region, str) and not region.strip())
    return region if is_given or None in sides else sides


def conf_of(context):
    return context["dag_run"].conf or {}


def choose_mode(**context):
    """Returns the id of the task to execute."""
    conf = conf_of(context)
    if conf.get("op") is not None:
        return "do_job"
    _, _, mode, _ = chosen(conf)
    return "call_service" if mode == "api" else "run_container"


def call_service(**context):
    """Calls the algorithm at the service and returns its response; fails with the service's own message."""
    name, parameters, _, mode = chosen(conf_of(context))
    base = setting("SERVICE_API_BASE")
    url = base.rstrip("/") + "/api/export-asset" if base else mode["url"]
    # A retry sends the same execution_id, so the service returns the run of the first request.
    body = {**parameters, "execution_id": context["run_id"]}
    print("calling %s for %s" % (url, name))
    answer = post(url, body)
    if answer.get("status") != "success":
        raise ServiceError("%s did not succeed: %s" % (url, sentence_of(answer)))
    return answer


class NotReached(ServiceError):
    """There was no final response. ``was_there``: True if the service had accepted the call, so the service was running until the call ended.
    ``pause``: seconds that the service asks to wait before a retry."""

    def __init__(self, text, was_there, status=None, pause=0):
        super().__init__(text, status)
        self.was_there = was_there
        self.pause = pause


def post(url, body):
    """Returns the JSON object of the service's response.

    A broken call is repeated, since a repeated call joins the work of the first one. The work may take any time: the service may restart during a
    call, or queue the work for hours. The task fails only after an outage of the service for HEADWATER_PATIENCE_SECONDS. A full queue is tolerated
    for the same time, with the pauses that the service asks for. If too many calls wait, the service returns the id of a task instead of the result;
    the state of the task is then requested until it ends.
    """
    # Checked first. Otherwise, Python raises the error of an unavailable service for an unknown scheme, and the call
    # would be retried.
    if re.match(r"https?://[^/\s]", url, re.IGNORECASE) is None:
        raise AirflowFailException("SERVICE_API_BASE: %s is not an http or https address; write it as http://headwater:8000" % url)
    patience = seconds("HEADWATER_PATIENCE_SECONDS", 300)
    hold = seconds("HEADWATER_CALL_SECONDS", 900)
    away_since = None
    while True:
        began = time.monotonic()
        try:
            answer = send(url, body, hold)
            task = task_of(answer)
            if task is None:
                return answer
            if body is not None:
                url, body = url.replace("/api/export-asset", "/api/export-status") + "?task_id=" + task, None
            away_since = None
            pause = PAUSE_SECONDS
        except NotReached as error:
            now = time.monotonic()
            if away_since is None or (error.was_there and now - began >= min(HELD_SECONDS, hold)):
                away_since = now
            pause = max(PAUSE_SECONDS, error.pause)
            if now + pause > away_since + patience:
                raise ServiceError(str(error), error.status) from None
            print("%s; retrying in %d s" % (error, pause))
        time.sleep(pause)


def task_of(answer):
    """Returns the id of the task of an unfinished response; None for a final one. Fails if the task has failed."""
    if answer.get("done") is True and answer.get("status") == "failed":
        raise ServiceError(sentence_of(answer))
    task = answer.get("task_id")
    return task if answer.get("done") is False and re.fullmatch(r"[A-Za-z0-9_-]{1,100}", str(task)) else None


def seconds(name, default):
    """Returns a setting in seconds."""
    text = setting(name, str(default))
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise AirflowFailException("%s: %r is not a number of seconds; set one above 0, or remove the setting to use %d" % (name, text, default))
    return value


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Does not follow redirects, which would send the secret to another server and drop the body."""

    def redirect_request(self, *_):
        return None


def send(url, body, hold):
    """Sends one call, with a timeout of ``hold`` seconds: a POST, or a GET without a body."""
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    secret = setting("WORK_SERVICE_SECRET")
    if secret:
        headers["X-Work-Service-Secret"] = secret
    request = urllib.request.Request(url, None if body is None else json.dumps(body).encode("utf-8"), headers)
    # Proxies of the environment are not used, because these proxies are only for external addresses.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirect)
    try:
        status, text, pause = _answer(opener, request, hold)
    except (OSError, http.client.HTTPException) as error:
        # urllib raises a URLError if the request cannot be sent. Any other error means that the service was reached.
        was_there = not isinstance(error, urllib.error.URLError)
        if was_there and isinstance(error, socket.timeout):
            raise NotReached("%s has not responded for %d s" % (url, hold), was_there) from None
        reason = getattr(error, "reason", None) or error
        text = "the connection to %s broke: %s" if was_there else "%s cannot be reached from this worker: %s"
        raise NotReached(text % (url, reason), was_there) from None
    answer = _json(text) if len(text) <= MOST_BYTES else None
    if not 200 <= status < 300:
        message = "%s returned %d: %s" % (url, status, sentence_of(answer))
        # A failed run is not requested again, because the service would compute it again.
        if status in TRANSIENT and not (isinstance(answer, dict) and answer.get("status") == "failed"):
            raise NotReached(message, status != GATEWAY_TIMEOUT, status)
        if status == FULL:
            raise NotReached(message, True, status, pause)
        raise ServiceError(message, status)
    if not isinstance(answer, dict):
        raise ServiceError("%s did not return a JSON object: check that SERVICE_API_BASE is the address of the service" % url)
    return answer


def _answer(opener, request, hold):
    """Returns status, text (limited) and ``Retry-After`` of a response with any status."""
    try:
        with opener.open(request, timeout=hold) as response:
            return response.status, response.read(MOST_BYTES + 1), 0
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read(MOST_BYTES), _seconds_of(error.headers.get("Retry-After"))


def _seconds_of(header):
    """Returns the seconds of ``Retry-After``; 0 if it is missing or a date."""
    return int(header) if re.fullmatch(r"[0-9]{1,9}", header or "") else 0


def _json(text):
    try:
        return json.loads(text)
    except ValueError:
        return text.decode("utf-8", "replace")


def sentence_of(answer):
    """Returns the error message of a response on one line."""
    message = answer
    if isinstance(answer, dict):
        message = next((answer[key] for key in ("detail", "message", "error") if answer.get(key)), answer)
    text = message if isinstance(message, str) else json.dumps(message)
    return " ".join(text.split())[:LONGEST_REASON] or "nothing"


# Allowed ids of jobs. An id is used in an address without encoding.
JOB_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")
CONFLICT = 409


def do_job(**context):
    """Processes a job of the work service and posts its result. If the job fails, posts the reason and fails."""
    conf = conf_of(context)
    run_id, base = conf.get("run_id"), setting("SERVICE_API_BASE") or conf.get("api_base")
    if not isinstance(run_id, str) or JOB_ID.fullmatch(run_id) is None:
        raise AirflowFailException("conf.run_id: %r is not an id of a job; POST /api/jobs starts jobs" % (run_id,))
    if not isinstance(base, str):
        raise AirflowFailException("conf.api_base: is missing, and SERVICE_API_BASE is not set; set SERVICE_API_BASE to the address of the service")
    base = base.rstrip("/")
    try:
        outcome = {"ok": True, "result": result_of(conf, base)}
    except ServiceError as error:
        outcome = {"ok": False, "error": str(error)}
    try:
        post("%s/api/jobs/%s/result" % (base, run_id), outcome)
    except ServiceError as error:
        # The status 409 means that an earlier attempt posted the result, but its response was lost.
        if error.status != CONFLICT:
            raise
        print("the job %s already has its result" % run_id)
    if not outcome["ok"]:
        raise ServiceError(outcome["error"])
    return {"run_id": run_id, "ok": True}


def result_of(conf, base):
    """Returns the service's response to the parameters of a job."""
    if conf["op"] != "export":
        raise ServiceError("conf.op: is %r, which is not known; this workflow supports export" % (conf["op"],))
    if not isinstance(conf.get("params"), dict):
        raise ServiceError("conf.params: give an object with the parameters of export-asset")
    return post(base + "/api/export-asset", conf["params"])


# The parameters are one JSON text in the environment, so that no shell interprets a caller's text.
CONTAINER = """
set -eu
if [ -n "${HEADWATER_COMMAND:-}" ]; then
  exec python3 "$HEADWATER_CLI" "$HEADWATER_ALGORITHM" --parameters-env HEADWATER_PARAMETERS
fi
set -- docker run --rm -e HEADWATER_PARAMETERS
set -f
IFS='
'
for volume in $HEADWATER_VOLUMES; do set -- "$@" -v "$volume"; done
exec "$@" "$HEADWATER_IMAGE" python3 cli.py "$HEADWATER_ALGORITHM" --parameters-env HEADWATER_PARAMETERS
"""


class ContainerOperator(BashOperator):
    """Runs the shim with the parameters of the trigger's conf."""

    # Airflow must not interpret texts of a conf as templates, so no field is a template.
    template_fields = ()

    def execute(self, context):
        name, parameters, _, mode = chosen(conf_of(context))
        volumes = []
        for volume in mode.get("volumes") or []:
            access = ":ro" if volume.get("read_only") else ""
            volumes.append("%s:%s%s" % (volume["source"], volume["target"], access))
        folder = setting("HEADWATER_ALGORITHMS", os.path.join(HERE, "headwater_algorithms"))
        self.env = {
            "HEADWATER_ALGORITHM": name,
            "HEADWATER_PARAMETERS": json.dumps({**parameters, "execution_id": context["run_id"]}),
            "HEADWATER_CLI": os.path.join(folder, "cli.py"),
            "HEADWATER_IMAGE": str(mode.get("image", "")),
            "HEADWATER_VOLUMES": "\n".join(volumes),
        }
        return super().execute(context)


with DAG(
    at_parsing("HEADWATER_DAG_ID", "headwater"),
    description="Runs the algorithm of Headwater that conf.pipeline names, or processes the job that conf.op names",
    schedule=None,
    start_date=datetime(2024, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    # Many runs may be active, because the service queues them.
    max_active_runs=64,
    tags=["headwater"],
    default_args={"pool": at_parsing("HEADWATER_POOL", "default_pool")},
) as dag:
    choose = BranchPythonOperator(task_id="choose_mode", python_callable=choose_mode)
    call = PythonOperator(task_id="call_service", python_callable=call_service)
    container = ContainerOperator(task_id="run_container", bash_command=CONTAINER, append_env=True)
    job = PythonOperator(task_id="do_job", python_callable=do_job)
    choose >> [call, container, job]
