"""A workflow for a bare Airflow 2.10: it runs the algorithm that a trigger's conf names, as its workflow files say. It is written for 3.x too, where
no scheduler was tried with it.

``headwater workflow-files --out DIR`` writes the files, a folder for each algorithm. What this file is told, each as an Airflow variable or,
where there is none, as a variable of the environment:

HEADWATER_WORKFLOWS   folder of the workflow files; default: ``headwater_workflows`` beside this file
HEADWATER_DAG_ID      id of the workflow; default: headwater
SERVICE_API_BASE      address of the service in place of the one in the files
HEADWATER_ALGORITHMS  path of ``headwater_algorithms``; default: beside this file
WORK_SERVICE_SECRET   secret of the service, where its operator has set one
HEADWATER_PATIENCE_SECONDS  how long a service is waited for that cannot be reached, or whose queue is full; default: 300
HEADWATER_CALL_SECONDS      how long one call is held before it is made again, which joins it; default: 900

An algorithm of API mode is called at the service, one of container mode is run by the shim ``headwater_algorithms`` in a container of its image, or,
where HEADWATER_COMMAND is set in the environment of the workers, by that command on the worker itself.

A conf with ``op`` is a job of the work service (``POST /api/jobs``), which needs no workflow files: its ``params`` go to ``/api/export-asset`` of the
service, at SERVICE_API_BASE or else at the conf's ``api_base``, and the answer, or why there is none, goes to ``/api/jobs/{run_id}/result``.
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
# Most of an answer that is read; a result holds Items, not pixels.
MOST_BYTES = 64 * 1024 * 1024
LONGEST_REASON = 2000
# Scheme of regions of a conf that names none, the service's own default.
USUAL_SCHEME = "indiasat"
PAUSE_SECONDS = 5
# A call that was held for as long as this was held by the service: what stands in front of one that is away ends a call at once.
HELD_SECONDS = 5
# Answers of a service that starts or stops, and of what stands in front of it meanwhile.
PASSING = (502, 503, 504)
# Of a service whose queue is full: it tells when it may be asked again.
FULL = 429
# Of what stands in front of a service that it hears nothing from: no sign that the service is there.
UNHEARD = 504


class ServiceError(Exception):
    """The service answered that it could not do what was asked, with this status, if it answered at all."""

    def __init__(self, text, status=None):
        super().__init__(text)
        self.status = status


def setting(name, default=None):
    """An Airflow variable, else one of the environment, else the default; blank counts as not set."""
    try:
        value = Variable.get(name, None)
    except Exception:  # The database may be away while a file is parsed, and Airflow 3 has no variables there.
        value = None
    value = value or os.environ.get(name) or default
    return value


def at_parsing(name, default=None):
    """The same while the file is read: from the environment alone, because each look at a variable is a query every few seconds."""
    return os.environ.get(name) or default


class _Loader(yaml.SafeLoader):
    """Reads the documents of workflow files, each as its tag and its members."""


def _tagged(loader, suffix, node):
    return {"tag": suffix, **loader.construct_mapping(node, deep=True)}


_Loader.add_multi_constructor("!", _tagged)


def documents(folder, name):
    """The tagged documents of one file; they may also stand in one list."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        found = list(yaml.load_all(file, Loader=_Loader))
    flat = [each for document in found for each in (document if isinstance(document, list) else [document])]
    return [each for each in flat if isinstance(each, dict)]


def algorithms():
    """Every algorithm of the workflow files by its id: its parameters and how it is executed."""
    root = setting("HEADWATER_WORKFLOWS", os.path.join(HERE, "headwater_workflows"))
    if not os.path.isdir(root):
        raise AirflowFailException(
            "HEADWATER_WORKFLOWS: there is no folder %s; write it with headwater workflow-files --out" % root
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
                        "HEADWATER_WORKFLOWS: the algorithm %s stands in %s and in %s; leave one of them"
                        % (kind["id"], places[kind["id"]], folder)
                    )
                places[kind["id"]] = folder
                declared = {parameter["name"]: parameter.get("default") for parameter in kind["params"]}
                found[kind["id"]] = {"parameters": declared, "modes": instance["execution_modes"]}
    return found


def chosen(conf):
    """Name, parameters and mode of the algorithm that the conf of a trigger names by ``pipeline`` (or ``algorithm``), or by its scheme."""
    known = algorithms()
    name = conf.get("pipeline") or conf.get("algorithm") or of_scheme(conf.get("base_scheme"), known)
    if name is None and len(known) == 1:
        name = next(iter(known))
    if not isinstance(name, str) or name not in known:
        raise AirflowFailException(
            "conf.pipeline: %s; the workflow files have %s"
            % (_missing(conf) if name is None else "is %r, which is not known" % (name,), ", ".join(sorted(known)) or "none")
        )
    algorithm = known[name]
    enabled = {key: mode for key, mode in algorithm["modes"].items() if mode and mode.get("enabled") is True}
    if not enabled:
        raise AirflowFailException("%s has no enabled mode in its workflow files" % name)
    mode = min(enabled, key=lambda key: (enabled[key].get("priority") or 0, key != "docker"))
    # Only what is declared is sent: the conf may hold what is none of the service's business.
    conf = {**conf, "region": region_of(conf)}
    parameters = {key: conf[key] for key in algorithm["parameters"] if conf.get(key) is not None}
    return name, parameters, mode, enabled[mode]


def _missing(conf):
    return "is missing, and no algorithm computes regions by the scheme %r" % (conf.get("base_scheme") or USUAL_SCHEME,)


def of_scheme(scheme, known):
    """Name of the algorithm that computes regions by this scheme; None where the files have none. A conf without a scheme means the usual one."""
    wanted = scheme.strip().strip("'\"").strip().lower() if isinstance(scheme, str) else ""
    schemes = {algorithm["parameters"].get("base_scheme"): name for name, algorithm in known.items()}
    return schemes.get(wanted or USUAL_SCHEME)


def region_of(conf):
    """The region that a conf names, whole or by its sides, as the service takes it too."""
    sides = [conf.get(side) for side in ("west", "south", "east", "north")]
    region = conf.get("region")
    is_given = region is not None and not (isinstance(region, str) and not region.strip())
    return region if is_given or None in sides else sides


def conf_of(context):
    return context["dag_run"].conf or {}


def choose_mode(**context):
    """Id of the task that executes."""
    conf = conf_of(context)
    if conf.get("op") is not None:
        return "do_job"
    _, _, mode, _ = chosen(conf)
    return "call_service" if mode == "api" else "run_container"


def call_service(**context):
    """Calls the algorithm at the service and returns its answer; fails with the service's own sentence."""
    name, parameters, _, mode = chosen(conf_of(context))
    base = setting("SERVICE_API_BASE")
    url = base.rstrip("/") + "/api/export-asset" if base else mode["url"]
    # The second try of a task asks for the same work: the service joins it to the first.
    body = {**parameters, "execution_id": context["run_id"]}
    print("calling %s for %s" % (url, name))
    answer = post(url, body)
    if answer.get("status") != "success":
        raise ServiceError("%s answered no success: %s" % (url, sentence_of(answer)))
    return answer


class NotReached(ServiceError):
    """No answer came that says how the work ended. ``was_there``: the call was taken, and its end is the last that was seen of the service.
    ``pause``: seconds after which it wants to be asked again."""

    def __init__(self, text, was_there, status=None, pause=0):
        super().__init__(text, status)
        self.was_there = was_there
        self.pause = pause


def post(url, body):
    """The JSON object that the service answers.

    A call that breaks is made again, since a repeated call joins the work of the first. However long the work takes, patience ends only where the
    service was not reached for that long: it may restart in the tenth minute of a call, or let it wait for hours in its queue. A queue that takes
    nothing more is waited for as long, at the pauses that the service asks for.
    """
    # No patience would help, and Python tells of an unknown scheme as of a service that is away.
    if re.match(r"https?://[^/\s]", url, re.IGNORECASE) is None:
        raise AirflowFailException("SERVICE_API_BASE: %s is no http or https address; write it as http://headwater:8000" % url)
    patience = seconds("HEADWATER_PATIENCE_SECONDS", 300)
    hold = seconds("HEADWATER_CALL_SECONDS", 900)
    away_since = None
    while True:
        begun = time.monotonic()
        try:
            return post_once(url, body, hold)
        except NotReached as error:
            now = time.monotonic()
            if away_since is None or (error.was_there and now - begun >= min(HELD_SECONDS, hold)):
                away_since = now
            pause = max(PAUSE_SECONDS, error.pause)
            if now + pause > away_since + patience:
                raise ServiceError(str(error), error.status) from None
            print("%s; trying again in %d s" % (error, pause))
        time.sleep(pause)


def seconds(name, default):
    """A setting that is a number of seconds."""
    given = setting(name, str(default))
    try:
        value = float(given)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise AirflowFailException("%s: %r is no number of seconds; write one above 0, or leave it out for %d" % (name, given, default))
    return value


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect is told and not followed: it would take the secret elsewhere, and leave the body behind."""

    def redirect_request(self, *_):
        return None


def post_once(url, body, hold):
    """One call, which is given up after ``hold`` seconds of silence."""
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    secret = setting("WORK_SERVICE_SECRET")
    if secret:
        headers["X-Work-Service-Secret"] = secret
    request = urllib.request.Request(url, json.dumps(body).encode("utf-8"), headers)
    # A proxy of the environment is for the world outside; the service is a neighbour.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirect)
    try:
        status, text, pause = _answer(opener, request, hold)
    except (OSError, http.client.HTTPException) as error:
        # What goes wrong before the request is sent is wrapped, and what goes wrong afterwards is not.
        was_there = not isinstance(error, urllib.error.URLError)
        if was_there and isinstance(error, socket.timeout):
            raise NotReached("%s has not answered for %d s" % (url, hold), was_there) from None
        reason = getattr(error, "reason", None) or error
        told = "the connection to %s broke: %s" if was_there else "%s cannot be reached from this worker: %s"
        raise NotReached(told % (url, reason), was_there) from None
    answer = _json(text) if len(text) <= MOST_BYTES else None
    if not 200 <= status < 300:
        told = "%s answered %d: %s" % (url, status, sentence_of(answer))
        # A run that ended is none that a further call could join: it would be computed again.
        if status in PASSING and not (isinstance(answer, dict) and answer.get("status") == "failed"):
            raise NotReached(told, status != UNHEARD, status)
        if status == FULL:
            raise NotReached(told, True, status, pause)
        raise ServiceError(told, status)
    if not isinstance(answer, dict):
        raise ServiceError("%s answered no JSON object: is SERVICE_API_BASE the address of the service?" % url)
    return answer


def _answer(opener, request, hold):
    """Status and text of an answer, whatever its status, and its ``Retry-After``; of the text no more than counts."""
    try:
        with opener.open(request, timeout=hold) as response:
            return response.status, response.read(MOST_BYTES + 1), 0
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read(MOST_BYTES), _seconds_of(error.headers.get("Retry-After"))


def _seconds_of(header):
    """What ``Retry-After`` says in seconds; 0 where it is missing or a date."""
    return int(header) if re.fullmatch(r"[0-9]{1,9}", header or "") else 0


def _json(text):
    try:
        return json.loads(text)
    except ValueError:
        return text.decode("utf-8", "replace")


def sentence_of(answer):
    """What an answer says of its failure, on one line."""
    said = answer
    if isinstance(answer, dict):
        said = next((answer[key] for key in ("detail", "message", "error") if answer.get(key)), answer)
    text = said if isinstance(said, str) else json.dumps(said)
    return " ".join(text.split())[:LONGEST_REASON] or "nothing"


# The id stands in an address as it is.
JOB_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")
CONFLICT = 409


def do_job(**context):
    """Does a job of the work service and posts its result; fails, once the reason is posted, where there is none."""
    conf = conf_of(context)
    run_id, base = conf.get("run_id"), setting("SERVICE_API_BASE") or conf.get("api_base")
    if not isinstance(run_id, str) or JOB_ID.fullmatch(run_id) is None:
        raise AirflowFailException("conf.run_id: %r is no id of a job; POST /api/jobs starts jobs" % (run_id,))
    if not isinstance(base, str):
        raise AirflowFailException("conf.api_base: is missing, and SERVICE_API_BASE is not set; set it to the service")
    base = base.rstrip("/")
    try:
        outcome = {"ok": True, "result": result_of(conf, base)}
    except ServiceError as error:
        outcome = {"ok": False, "error": str(error)}
    try:
        post("%s/api/jobs/%s/result" % (base, run_id), outcome)
    except ServiceError as error:
        # The first try of a result whose answer was lost.
        if error.status != CONFLICT:
            raise
        print("the job %s has its result already" % run_id)
    if not outcome["ok"]:
        raise ServiceError(outcome["error"])
    return {"run_id": run_id, "ok": True}


def result_of(conf, base):
    """What the service answers to the parameters of a job."""
    if conf["op"] != "export":
        raise ServiceError("conf.op: is %r, which is not known; this workflow knows export" % (conf["op"],))
    if not isinstance(conf.get("params"), dict):
        raise ServiceError("conf.params: give an object with what export-asset takes")
    return post(base + "/api/export-asset", conf["params"])


# The parameters go through the environment as one JSON text: nothing that a caller sends is read by a shell.
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
    """Runs the shim with what the conf of the trigger asks for."""

    # Nothing of a conf is a template.
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
    description="Runs the algorithm of Headwater that conf.pipeline names, or does the job that conf.op names",
    schedule=None,
    start_date=datetime(2024, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    # Many runs at a time are the service's business, which queues them.
    max_active_runs=64,
    tags=["headwater"],
) as dag:
    choose = BranchPythonOperator(task_id="choose_mode", python_callable=choose_mode)
    call = PythonOperator(task_id="call_service", python_callable=call_service)
    container = ContainerOperator(task_id="run_container", bash_command=CONTAINER, append_env=True)
    job = PythonOperator(task_id="do_job", python_callable=do_job)
    choose >> [call, container, job]
