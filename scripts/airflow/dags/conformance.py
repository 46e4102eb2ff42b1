"""DAGs for the conformance suite of the orchestrator client. The fake orchestrator has DAGs with the same names."""
import json
import time
import urllib.request

import pendulum
from airflow import DAG
from airflow.operators.python import PythonOperator


def call(**context):
    conf = context["dag_run"].conf or {}
    body = json.dumps({"conf": conf}).encode()
    request = urllib.request.Request(conf["url"], body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def boom(**context):
    print('it\'s "quoted" \u00e9 \\ line')
    print("Traceback (most recent call last):\n  not ours\nValueError: printed by the task")
    print("run_token is", (context["dag_run"].conf or {}).get("run_token"))
    raise RuntimeError("export failed: quota exceeded")


def chained(**context):
    try:
        {}["region"]
    except KeyError as cause:
        raise ValueError("no region given") from cause


def nap(**context):
    time.sleep((context["dag_run"].conf or {}).get("s", 60))


settings = dict(schedule=None, start_date=pendulum.datetime(2024, 1, 1, tz="UTC"), catchup=False)
with DAG("t_ok", **settings):
    PythonOperator(task_id="execute_A", python_callable=call)
with DAG("t_fail", **settings):
    PythonOperator(task_id="execute_A", python_callable=boom) >> PythonOperator(task_id="verify_B", python_callable=lambda: 1)
with DAG("t_chain", **settings):
    PythonOperator(task_id="execute_A", python_callable=chained)
with DAG("t_map", **settings):
    PythonOperator.partial(task_id="m", python_callable=lambda x: 1 // x).expand(op_args=[[1], [0]])
with DAG("t_slow", **settings):
    PythonOperator(task_id="s", python_callable=nap)
with DAG("t_paused", is_paused_upon_creation=True, **settings):
    PythonOperator(task_id="execute_A", python_callable=lambda: {"status": "success"})
