import * as pulumi from "@pulumi/pulumi";
import { programText } from "../../engine/program-run.js";
import { saidAboutCredentials } from "./stack-settings.js";

/** What a resource of the program sends about its run. */
export function programRun(): string {
  const said = saidAboutCredentials();
  return programText({ preview: pulumi.runtime.isDryRun(), ...(said === undefined ? {} : { said }) });
}
