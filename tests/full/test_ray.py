"""Experiments on Ray; it brings a cluster of its own, so `make test-full` runs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SOURCE = str(Path(__file__).parents[2] / "src")


def test_ray_gives_the_same_numbers() -> None:
    """In a process of its own: Ray leaves servers and warnings behind."""
    code = f"""
import os, sys, warnings
warnings.simplefilter("ignore")
os.environ.update(PYTHONPATH={SOURCE!r}, RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO="0")
sys.path.insert(0, {SOURCE!r})
import ray
from informed.simulation import Experiment
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
e = Experiment(k=3, n=40, levels=(0, 0.5), replicates=100, chunk=20)
print("SAME" if e.run(jobs=2, backend="ray").rows == e.run().rows else "OTHER")
ray.shutdown()
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.split()[-1] == "SAME"
