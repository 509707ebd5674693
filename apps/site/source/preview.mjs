/** What a line of a preview is: the command, a change, what it does to requests, or anything else. */
function kindOf(line) {
  if (line.startsWith("$ ")) return "command";
  if (/^this change lets requests through/.test(line)) return "weaker";
  if (/^ {2}(GET|POST) /.test(line)) return "witness";
  if (/^\s*~ /.test(line)) return "change";
  return "plain";
}

/** The recorded preview of a test, line by line, without IDs, which would not fit the picture. */
export function previewLines(text) {
  return text
    .trimEnd()
    .split("\n")
    .filter((line) => !/\[id=|pulumi:pulumi:Stack/.test(line))
    .map((line) => line.replace(/[0-9a-f]{32}/g, "…").replace("pulumi-nodejs:dynamic/", ""))
    .map((line) => ({ kind: kindOf(line), text: line }));
}
