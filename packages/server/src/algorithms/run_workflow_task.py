"""Runs one task of deploy/airflow/headwater_dag.py as Airflow 2 would, on a machine without Airflow: ``python3 run_workflow_task.py TASK``.

stdin: JSON ``{"conf", "run_id", "constants"}``; the constants replace those of the module. stdout: the output of the task, then one line of JSON, its
result. A failure ends with its traceback on stderr and exit code 1.
"""
import json
import os
import subprocess
import sys
import types

HERE = os.path.dirname(os.path.abspath(__file__))
WORKFLOW = os.path.join(HERE, "..", "..", "..", "..", "deploy", "airflow")


class AirflowException(Exception):
    pass


class AirflowFailException(AirflowException):
    pass


class Variable:
    @staticmethod
    def get(_key, default_var=None):
        return default_var


class DAG:
    tasks = {}

    def __init__(self, *_, **__):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class Operator:
    def __init__(self, task_id):
        DAG.tasks[task_id] = self

    def __rshift__(self, other):
        return other


class PythonOperator(Operator):
    def __init__(self, task_id, python_callable):
        super().__init__(task_id)
        self.python_callable = python_callable

    def execute(self, context):
        return self.python_callable(**context)


class BashOperator(Operator):
    """Replaces Airflow's BashOperator: both output streams are the log, and the last line is the result."""

    def __init__(self, task_id, bash_command, append_env):
        super().__init__(task_id)
        self.bash_command, self.append_env, self.env = bash_command, append_env, {}

    def execute(self, context):
        env = {**os.environ, **self.env} if self.append_env else self.env
        process = subprocess.Popen(
            ["bash", "-c", self.bash_command], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        last = ""
        for line in process.stdout:
            last = line.decode("utf-8", "replace").rstrip()
            print(last, flush=True)
        if process.wait() != 0:
            raise AirflowException(
                "Bash command failed. The command returned a non-zero exit code %d." % process.returncode
            )
        return last


def module(name, **members):
    created = types.ModuleType(name)
    created.__dict__.update(members)
    sys.modules[name] = created


def stand_in():
    """Provides the names that the workflow file imports. It imports the names of Airflow 2 if the packages of Airflow 3 are missing."""
    module("airflow", DAG=DAG)
    module("airflow.models", Variable=Variable)
    module("airflow.exceptions", AirflowFailException=AirflowFailException)
    module("airflow.operators")
    module("airflow.operators.bash", BashOperator=BashOperator)
    module("airflow.operators.python", PythonOperator=PythonOperator, BranchPythonOperator=PythonOperator)


def main():
    request = json.load(sys.stdin)
    stand_in()
    sys.path.insert(0, WORKFLOW)
    import headwater_dag

    for name, value in request.get("constants", {}).items():
        if not hasattr(headwater_dag, name):
            raise AttributeError("the workflow has no constant %s" % name)
        setattr(headwater_dag, name, value)
    run = types.SimpleNamespace(conf=request["conf"])
    result = DAG.tasks[sys.argv[1]].execute({"dag_run": run, "run_id": request["run_id"]})
    print(json.dumps(result), flush=True)


main()
