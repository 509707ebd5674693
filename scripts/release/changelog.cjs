const UNRELEASED = "## Unreleased";

/** What changed since the last release: the text between that heading and the one of the last version. */
function unreleased(text) {
  const [before, rest] = text.split(`${UNRELEASED}\n`);
  if (rest === undefined) throw new Error(`CHANGELOG.md has no heading "${UNRELEASED}"`);
  const next = rest.search(/^## /m);
  return { before, notes: (next < 0 ? rest : rest.slice(0, next)).trim(), earlier: next < 0 ? "" : rest.slice(next) };
}

/**
 * The changes with those that are not released yet under a version.
 *
 * @throws if nothing changed, or nothing says what to do when upgrading
 */
function withVersion(text, version, date) {
  const { before, notes, earlier } = unreleased(text);
  if (!/^- /m.test(notes)) throw new Error("CHANGELOG.md names no change since the last release");
  if (!/^### Upgrading\n\n\S/m.test(notes))
    throw new Error('CHANGELOG.md does not say what to do when upgrading: add "### Upgrading" under "Unreleased"');
  const released = `## ${version} (${date})\n\n${notes}\n`;
  return `${before}${UNRELEASED}\n\n${released}${earlier === "" ? "" : `\n${earlier}`}`;
}

/** What changed with a version, for the page of the release. */
function notesOf(text, version) {
  const [, rest] = text.split(new RegExp(`^## ${version.replaceAll(".", "\\.")} .*\\n`, "m"));
  if (rest === undefined) throw new Error(`CHANGELOG.md has no version ${version}`);
  const next = rest.search(/^## /m);
  return `${(next < 0 ? rest : rest.slice(0, next)).trim()}\n`;
}

module.exports = { withVersion, notesOf };
