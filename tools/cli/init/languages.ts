import type { Language } from "./choices.js";

/** In what a project differs from those in other languages. */
export interface LanguageParts {
  /** The file of the program, for the table of the README. */
  readonly program: string;
  /** Whether the rules are known without the engine; for other languages, tests take a preview. */
  readonly runsHere: boolean;
  /** What to run after a clone. */
  readonly install: string;
  /** What git ignores besides what it ignores in all projects. */
  readonly ignored: readonly string[];
  /** What a pipeline needs besides Node, as steps of GitHub, and as commands for a Debian of GitLab. */
  readonly setup: { readonly github: readonly string[]; readonly gitlab: readonly string[] };
}

const NONE = { github: [], gitlab: [] };
/** Writes the SDK into the project, and installs it and Pulumi's own. */
const WITH_SDK = "npm install && pulumi install";

export const PARTS: Readonly<Record<Language, LanguageParts>> = {
  typescript: { program: "index.ts", runsHere: true, install: "npm install", ignored: [], setup: NONE },
  python: {
    program: "__main__.py",
    runsHere: false,
    install: WITH_SDK,
    ignored: ["sdks/", "venv/", "__pycache__/"],
    setup: {
      github: ["- uses: actions/setup-python@v5", '  with: { python-version: "3.13" }'],
      gitlab: ["- apt-get install -yqq python3-venv"],
    },
  },
  go: {
    program: "main.go",
    runsHere: false,
    install: WITH_SDK,
    ignored: ["sdks/"],
    setup: {
      github: ["- uses: actions/setup-go@v5", "  with: { go-version-file: go.mod }"],
      gitlab: [
        "- curl -fsSL https://go.dev/dl/go1.25.0.linux-amd64.tar.gz | tar -C /usr/local -xz",
        '- export PATH="/usr/local/go/bin:$PATH"',
      ],
    },
  },
  yaml: { program: "Pulumi.yaml", runsHere: false, install: "npm install", ignored: [], setup: NONE },
};
