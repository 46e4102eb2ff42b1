"""Workflows for tests of the reference server with an orchestrator. The fake orchestrator has workflows with the same names."""
import json
import time
import urllib.error
import urllib.request

import pendulum
from airflow import DAG
from airflow.operators.python import PythonOperator


def call_back(conf):
    body = json.dumps({"conf": conf}).encode()
    url = conf["api_base"] + "/api/export-asset"
    request = urllib.request.Request(url, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)


def call_back_later(conf):
    """Waits 3 s, then calls a service that may be restarting. After an error, it retries each second, up to 120 times."""
    time.sleep(3)
    for _ in range(120):
        try:
            return call_back(conf)
        except urllib.error.URLError:
            time.sleep(1)
    return call_back(conf)


def execute(**context):
    """Behaves as the name of the block describes. So one workflow is enough for all test cases."""
    conf = context["dag_run"].conf or {}
    block = conf.get("block")
    if block == "Empty":
        return {"status": "success"}
    if block == "Failing":
        print("run_token is", conf.get("run_token"))
        raise RuntimeError("export failed: quota exceeded")
    if block == "Slow":
        time.sleep(300)
    result = call_back_later(conf) if block == "Later" else call_back(conf)
    if block == "Broken":
        raise RuntimeError("the verification failed")
    return {"status": result["status"]}


def send(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)


def do_job(**context):
    """Runs a job of the work service: posts the job's parameters to export-asset, then posts the result or the error to the job's id."""
    conf = context["dag_run"].conf
    try:
        outcome = {"ok": True, "result": send(conf["api_base"] + "/api/export-asset", conf["params"])}
    except urllib.error.HTTPError as error:
        outcome = {"ok": False, "error": "%d: %s" % (error.code, error.read().decode())}
    send("%s/api/jobs/%s/result" % (conf["api_base"], conf["run_id"]), outcome)
    if not outcome["ok"]:
        raise RuntimeError(outcome["error"])


settings = dict(schedule=None, start_date=pendulum.datetime(2024, 1, 1, tz="UTC"), catchup=False)
with DAG("h_headwater", **settings):
    PythonOperator(task_id="execute", python_callable=execute)
with DAG("h_paused", is_paused_upon_creation=True, **settings):
    PythonOperator(task_id="execute", python_callable=execute)
with DAG("h_job", **settings):
    PythonOperator(task_id="work", python_callable=do_job)
