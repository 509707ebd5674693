import * as pulumi from "@pulumi/pulumi";
import { PhaseEntrypoint, RulesList, expression } from "pulumi-rulesets";

const accountId = new pulumi.Config().require("accountId");

// The old URLs and where they lead, one a line. A mistake is reported at preview, with its line.
const moves = new RulesList("moves", {
  accountId,
  name: "shop_moves",
  kind: "redirect",
  description: "Old URLs of the shop",
  itemsFile: "redirects.csv",
  // A file that was cut off stops the preview.
  maxRemovedPercent: 10,
});

// A bulk redirect is a list, and a rule that uses it. The rule names the output, so the list is there first.
new PhaseEntrypoint("redirects", {
  accountId,
  phase: "http_request_redirect",
  rules: [
    {
      action: "redirect",
      description: "Old URLs of the shop",
      expression: expression`http.request.full_uri in ${moves}`,
      actionParameters: { fromList: { name: moves.name, key: "http.request.full_uri" } },
    },
  ],
});

export const redirects = moves.size;
