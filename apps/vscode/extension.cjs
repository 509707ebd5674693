// Starts the language server: that of the workspace, if it has the package, so that the editor and the commands say the same.
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { window, workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

const LANGUAGES = ["yaml", "json", "jsonc", "typescript", "javascript"];

let client;

/** The server of the workspace, or the one that comes with the extension. */
function findServer() {
  const main = (workspace.workspaceFolders ?? [])
    .map(({ uri }) => join(uri.fsPath, "node_modules", "pulumi-rulesets", "dist", "tools", "cli", "main.js"))
    .find((file) => workspace.isTrusted && existsSync(file));
  return main === undefined
    ? { module: join(__dirname, "server.js"), args: [], transport: TransportKind.stdio }
    : { module: main, args: ["language-server"], transport: TransportKind.stdio };
}

async function activate(context) {
  const settings = workspace.getConfiguration("pulumiRulesets");
  client = new LanguageClient("pulumiRulesets", "Pulumi Rulesets", findServer(), {
    documentSelector: LANGUAGES.flatMap((language) => [
      { language, scheme: "file" },
      { language, scheme: "untitled" },
    ]),
    initializationOptions: { plan: settings.get("plan") },
    synchronize: { configurationSection: "pulumiRulesets" },
    outputChannel: window.createOutputChannel("Pulumi Rulesets"),
  });
  context.subscriptions.push(client);
  await client.start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
