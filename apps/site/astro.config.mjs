import starlight from "@astrojs/starlight";
import { defineConfig, passthroughImageService } from "astro/config";
import { leanHtml } from "./source/lean-html.mjs";
import { RANKING } from "./source/search.mjs";
import { sidebarOf } from "./sidebar.mjs";
import { writePages } from "./source/pages.mjs";

const slugs = writePages().map(({ slug }) => slug);

export default defineConfig({
  site: process.env.SITE_URL ?? "https://pulumi-rulesets.example",
  output: "static",
  image: { service: passthroughImageService() },
  devToolbar: { enabled: false },
  integrations: [
    // Before Starlight, which makes the index of the search.
    leanHtml,
    starlight({
      title: "pulumi-rulesets",
      description: "Cloudflare rulesets as Pulumi resources, with previews that say what a change does to requests.",
      favicon: "/favicon.svg",
      customCss: [
        "@fontsource-variable/schibsted-grotesk/wght.css",
        "@fontsource/commit-mono/latin-400.css",
        "@fontsource/commit-mono/latin-700.css",
        "./src/styles/site.css",
      ],
      components: { Header: "./src/components/Header.astro", Hero: "./src/components/Hero.astro" },
      expressiveCode: {
        themes: ["min-light", "min-dark"],
        defaultProps: { frame: "none" },
        styleOverrides: {
          borderRadius: "8px",
          codeFontFamily: "var(--code)",
          borderColor: "var(--line)",
          frames: { frameBoxShadowCssValue: "none" },
        },
      },
      sidebar: sidebarOf(slugs),
      pagefind: { ranking: RANKING },
      pagination: true,
      disable404Route: true,
      credits: false,
    }),
  ],
});
