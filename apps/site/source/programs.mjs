import { toMdx } from "./markdown.mjs";
import { list, isFolder, read } from "./repository.mjs";

/** The language of a file, for its colours, by its ending. */
const LANGUAGES = { ts: "ts", yaml: "yaml", json: "json", csv: "csv", py: "python", go: "go", cs: "csharp" };

const fence = (language, code) => `\`\`\`\`${language}\n${code.trimEnd()}\n\`\`\`\``;

/** The files of an example, each under its name. */
export function exampleFiles(example) {
  const folder = `examples/${example}`;
  const names = list(folder).filter(
    (name) => !/README|package|node_modules/.test(name) && !isFolder(`${folder}/${name}`),
  );
  const files = names.map((name) => {
    const language = LANGUAGES[name.split(".").at(-1)];
    return language === undefined ? "" : `### ${name}\n\n${fence(language, read(`${folder}/${name}`))}`;
  });
  return ["## The files", ...files].join("\n\n");
}

/** The same program in every language, for tabs. */
export function languagePrograms() {
  return [
    ["TypeScript", "ts", "typescript/index.ts"],
    ["Python", "python", "python/__main__.py"],
    ["Go", "go", "go/main.go"],
    ["C#", "csharp", "dotnet/Program.cs"],
    ["YAML", "yaml", "yaml/Pulumi.yaml"],
  ].map(([label, language, file]) => ({ label, language, code: read(`examples/languages/${file}`) }));
}

/** Programs in tabs. The language that a reader chooses is the one of all tabs. */
export function tabs(programs) {
  const items = programs.map(
    ({ label, language, code }) => `<TabItem label="${label}">\n\n${fence(language, code)}\n\n</TabItem>`,
  );
  return `<Tabs syncKey="language">\n${items.join("\n")}\n</Tabs>`;
}

const LABELS = { typescript: "TypeScript", python: "Python", go: "Go", csharp: "C#", yaml: "YAML", java: "Java" };

/** A description of the package schema: its text, and each example with its programs in tabs. */
export function describedWithTabs(description) {
  const [text = "", examples = ""] = description.split("{{% examples %}}");
  const shown = examples
    .split("{{% example %}}")
    .slice(1)
    .map((example) => {
      const [, title] = /### (.+)/.exec(example) ?? [];
      const programs = [...example.matchAll(/```(\w+)\n([^]*?)\n```/g)].map(([, language, code]) => ({
        label: LABELS[language] ?? language,
        language,
        // The schema writes for its own SDK. A program in TypeScript needs none: the package has the same classes.
        code: code.replace('"@pulumi-rulesets/rulesets"', '"pulumi-rulesets"'),
      }));
      return { title, tabs: tabs(programs) };
    });
  return { text: toMdx(text.trim()), examples: shown };
}
