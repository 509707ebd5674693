import tseslint from "typescript-eslint";
import pureParts from "./pure-parts.cjs";

const { pureFiles, pureRules } = pureParts;

export default tseslint.config(
  {
    ignores: [
      "**/dist/",
      "**/node_modules/",
      "**/generated/",
      "examples/**/node_modules/",
      "examples/fleet-temporal/*.ts",
      "examples/languages/",
      "site/public/",
      "site/.astro/",
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ["tests/tsconfig.eslint.json", "examples/tsconfig.json", "playground/tsconfig.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "@typescript-eslint/no-unused-vars": [
        "error",
        { varsIgnorePattern: "^_", argsIgnorePattern: "^_", caughtErrors: "none" },
      ],
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      "max-params": ["error", 6],
      // Modules are loaded late by one function.
      "@typescript-eslint/no-require-imports": "off",
      "no-restricted-syntax": [
        "error",
        {
          selector:
            ":not(CallExpression[callee.name='late'] > ArrowFunctionExpression) > CallExpression[callee.name='require']",
          message: "Import it, or load it with `late`.",
        },
      ],
      eqeqeq: "error",
    },
  },
  {
    files: ["**/*.mjs", "**/*.cjs"],
    ...tseslint.configs.disableTypeChecked,
    rules: {
      ...tseslint.configs.disableTypeChecked.rules,
      "@typescript-eslint/explicit-module-boundary-types": "off",
      "@typescript-eslint/no-require-imports": "off",
      "no-restricted-syntax": "off",
      "max-lines-per-function": "off",
    },
  },
  {
    // Route tables: the type of the table types every function in it.
    files: ["emulator/**/routes.ts"],
    rules: { "@typescript-eslint/explicit-module-boundary-types": "off" },
  },
  {
    // The imports of these files are dependency-cruiser's to check.
    ...pureFiles,
    rules: pureRules,
  },
  {
    files: ["tests/**/*.ts"],
    rules: {
      "max-lines-per-function": "off",
      "@typescript-eslint/explicit-module-boundary-types": "off",
      "@typescript-eslint/no-implied-eval": "off",
      "@typescript-eslint/no-unsafe-call": "off",
    },
  },
  {
    files: ["tests/**/*.ts"],
    ignores: ["tests/support/properties.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        { name: "fast-check", message: "Import fc from tests/support/properties.ts, which sets the seed." },
      ],
    },
  },
);
