"""Runs a Pulumi program with the settings that `pulumi-language-python` passes as JSON."""

import asyncio
import json
import runpy
import sys
import traceback

import pulumi
import pulumi.runtime

# The exit code of a program whose error the user has already seen.
ALREADY_REPORTED = 32

given = json.loads(sys.argv[1])
pulumi.runtime.set_all_config(pulumi.runtime.get_config_env(), pulumi.runtime.get_config_secret_keys_env())
pulumi.runtime.configure(
    pulumi.runtime.Settings(
        monitor=given["monitor"],
        engine=given["engine"],
        project=given["project"],
        stack=given["stack"],
        parallel=int(given["parallel"]),
        dry_run=given["isPreview"],
        organization=given["organization"],
        root_directory=given["rootDirectory"],
    )
)
sys.argv = [given["program"], *given["args"]]
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
try:
    program = pulumi.runtime.run_in_stack(lambda: runpy.run_path(given["program"], run_name="__main__"))
    loop.run_until_complete(program)
except pulumi.RunError as error:
    pulumi.log.error(str(error))
    sys.exit(1)
except Exception:
    pulumi.log.error("Program failed with an unhandled exception:\n" + traceback.format_exc())
    sys.exit(ALREADY_REPORTED)
