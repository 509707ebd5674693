"""Replays request logs on a Spark cluster: each task pipes its lines through `rules replay`, and the results are merged.

spark-submit replay.py --logs 's3a://logs/2026*' --before before.json --after after.json --no-looser

Other options go to `rules replay merge`, whose exit code is that of this program.
"""

import argparse
import os
import shlex
import subprocess
import sys

from pyspark.sql import SparkSession

parser = argparse.ArgumentParser()
parser.add_argument("--logs", required=True, help="files, folders or patterns in any storage that Spark reads")
parser.add_argument("--parquet", action="store_true", help="the logs are Parquet files instead of lines of JSON")
parser.add_argument("--before", required=True, help="JSON file with the first version of the rules")
parser.add_argument("--after", required=True, help="JSON file with the second version")
parser.add_argument("--command", default="npx pulumi-rulesets", help="the command, here and on all workers")
options, merge_options = parser.parse_known_args()

spark = SparkSession.builder.appName("rules replay").getOrCreate()
context = spark.sparkContext
# Each worker gets the rules, in the folder in which its tasks run.
context.addFile(options.before)
context.addFile(options.after)
before, after = (shlex.quote(os.path.basename(path)) for path in (options.before, options.after))

logs = spark.read.parquet(options.logs).toJSON() if options.parquet else context.textFile(options.logs)
tasks = logs.pipe(
    f"{options.command} rules replay - --before {before} --after {after} --partial -",
    env={"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/tmp")},
)
results = tasks.collect()
expected = logs.getNumPartitions()
# On Databricks the session belongs to the cluster, and a program ends by its last line.
if "DATABRICKS_RUNTIME_VERSION" not in os.environ:
    spark.stop()
# A task whose command failed has no result, and nothing may be left out.
if len(results) != expected:
    sys.exit(f"{expected - len(results)} of {expected} tasks have no result; their logs say why")
merge = [*shlex.split(options.command), "rules", "replay", "merge", "-", *merge_options]
code = subprocess.run(merge, input="\n".join(results), text=True).returncode
if code != 0:
    sys.exit(code)
