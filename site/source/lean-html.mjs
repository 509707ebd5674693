import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Markdown has no table without heads. A head without words is a cell: screen readers would announce it as an empty head. */
export const emptyHeadsAreCells = {
  name: "empty-heads-are-cells",
  hooks: {
    "astro:build:done": ({ dir }) => {
      const folder = fileURLToPath(dir);
      for (const name of readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".html"))) {
        const html = readFileSync(join(folder, name), "utf8");
        writeFileSync(join(folder, name), html.replaceAll(/<th( [^>]*)?><\/th>/g, "<td$1></td>"));
      }
    },
  },
};
