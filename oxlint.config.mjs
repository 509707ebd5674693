/** Rules of typescript-eslint's strict set that need types. */
const TYPED = [
  "await-thenable",
  "no-array-delete",
  "no-base-to-string",
  "no-confusing-void-expression",
  "no-deprecated",
  "no-duplicate-type-constituents",
  "no-floating-promises",
  "no-for-in-array",
  "no-implied-eval",
  "no-meaningless-void-operator",
  "no-misused-promises",
  "no-misused-spread",
  "no-mixed-enums",
  "no-redundant-type-constituents",
  "no-unnecessary-boolean-literal-compare",
  "no-unnecessary-condition",
  "no-unnecessary-template-expression",
  "no-unnecessary-type-arguments",
  "no-unnecessary-type-assertion",
  "no-unnecessary-type-conversion",
  "no-unnecessary-type-parameters",
  "no-unsafe-argument",
  "no-unsafe-assignment",
  "no-unsafe-call",
  "no-unsafe-enum-comparison",
  "no-unsafe-member-access",
  "no-unsafe-return",
  "no-unsafe-unary-minus",
  "no-useless-default-assignment",
  "only-throw-error",
  "prefer-promise-reject-errors",
  "prefer-reduce-type-parameter",
  "prefer-return-this-type",
  "related-getter-setter-pairs",
  "require-await",
  "restrict-plus-operands",
  "restrict-template-expressions",
  "return-await",
  "unbound-method",
  "use-unknown-in-catch-callback-variable",
];

/** Rules of the strict set that read the text alone. */
const UNTYPED = [
  "ban-ts-comment",
  "explicit-module-boundary-types",
  "no-duplicate-enum-values",
  "no-dynamic-delete",
  "no-empty-object-type",
  "no-explicit-any",
  "no-extra-non-null-assertion",
  "no-extraneous-class",
  "no-invalid-void-type",
  "no-misused-new",
  "no-namespace",
  "no-non-null-asserted-nullish-coalescing",
  "no-non-null-asserted-optional-chain",
  "no-non-null-assertion",
  "no-this-alias",
  "no-unnecessary-type-constraint",
  "no-unsafe-declaration-merging",
  "no-unsafe-function-type",
  "no-wrapper-object-types",
  "prefer-as-const",
  "prefer-literal-enum-member",
  "prefer-namespace-keyword",
  "triple-slash-reference",
  "unified-signatures",
];

const OPTIONS = {
  "ban-ts-comment": [{ minimumDescriptionLength: 10 }],
  "restrict-plus-operands": [
    { allowAny: false, allowBoolean: false, allowNullish: false, allowNumberAndString: false, allowRegExp: false },
  ],
  "restrict-template-expressions": [
    {
      allowAny: false,
      allowBoolean: false,
      allowNever: false,
      allowNullish: false,
      allowNumber: false,
      allowRegExp: false,
    },
  ],
  "return-await": ["error-handling-correctness-only"],
};

const typescript = (names) =>
  Object.fromEntries(names.map((name) => [`typescript/${name}`, ["error", ...(OPTIONS[name] ?? [])]]));

const SYNTAX = "eslint-js/no-restricted-syntax";

/** Folders of pure functions, as in .dependency-cruiser.cjs. */
const PURE_FILES = ["core/**/*.ts", "provider/{ownership,validation}/**/*.ts"];
const PURE = "This folder is pure: pass the value in as an argument instead.";

/** Globals through which a pure function would read what is not passed to it. */
const impureGlobals = [
  "clearImmediate",
  "clearInterval",
  "clearTimeout",
  "console",
  "crypto",
  "fetch",
  "global",
  "globalThis",
  "Intl",
  "navigator",
  "performance",
  "process",
  "queueMicrotask",
  "setImmediate",
  "setInterval",
  "setTimeout",
  "WebSocket",
  "XMLHttpRequest",
];

/** The clock is read by `new Date()`, `Date()` and `Date.now()`, however they are reached; a date can be parsed. */
const clock = [
  "NewExpression[callee.name='Date'][arguments.length=0]",
  ":not(MemberExpression, NewExpression, TSTypeReference, BinaryExpression[operator='instanceof']) > Identifier[name='Date']",
];

/**
 * The language, the time zone and, without an argument, the clock of the machine: methods of dates and texts that use them,
 * called or not.
 */
const LOCAL =
  "/^(toLocale.*|localeCompare|to(Date|Time)String|[gs]et(Date|Day|FullYear|Hours|Milliseconds|Minutes|Month|Seconds|Year|TimezoneOffset))$/";
const locale = [
  `MemberExpression > Identifier.property[name=${LOCAL}]`,
  `ObjectPattern > Property > Identifier.key[name=${LOCAL}]`,
];

/** Ways to load a module that dependency-cruiser does not follow. */
const hiddenImports = [
  "CallExpression[callee.name='createRequire']",
  "CallExpression[callee.name='require'] > :not(Literal).arguments",
];
const FOLLOWED = 'Write require("…"), so that dependency-cruiser sees what it loads.';

/** For folders of pure functions: values in, values out. Their imports are dependency-cruiser's to check. */
const pureRules = {
  "no-restricted-globals": ["error", ...impureGlobals.map((name) => ({ name, message: PURE }))],
  [SYNTAX]: [
    "error",
    ...[...clock, ...locale].map((selector) => ({ selector, message: PURE })),
    ...hiddenImports.map((selector) => ({ selector, message: FOLLOWED })),
  ],
  "no-restricted-properties": [
    "error",
    { object: "Date", property: "now", message: PURE },
    { object: "Math", property: "random", message: PURE },
  ],
  "no-restricted-imports": [
    "error",
    {
      paths: ["node:crypto", "crypto"].map((name) => ({
        name,
        allowImportNames: ["createHash", "createHmac", "timingSafeEqual"],
        message: PURE,
      })),
    },
  ],
};

export default {
  plugins: ["typescript"],
  jsPlugins: [{ name: "eslint-js", specifier: "oxlint-plugin-eslint" }],
  categories: { correctness: "off" },
  ignorePatterns: [
    "**/dist/",
    "**/node_modules/",
    "**/generated/",
    "examples/**/node_modules/",
    "examples/fleet-temporal/*.ts",
    "examples/languages/",
    "apps/site/public/",
    "apps/site/.astro/",
  ],
  rules: {
    ...typescript(UNTYPED),
    eqeqeq: "error",
    "max-params": ["error", 6],
    "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
    "no-array-constructor": "error",
    "no-unused-vars": ["error", { varsIgnorePattern: "^_", argsIgnorePattern: "^_", caughtErrors: "none" }],
    "no-unused-expressions": "error",
    "no-useless-constructor": "error",
    "no-var": "error",
    "prefer-const": "error",
    "prefer-rest-params": "error",
    "prefer-spread": "error",
  },
  overrides: [
    {
      files: ["**/*.ts"],
      rules: {
        ...typescript(TYPED),
        [SYNTAX]: [
          "error",
          {
            selector:
              ":not(CallExpression[callee.name='late'] > ArrowFunctionExpression) > CallExpression[callee.name='require']",
            message: "Import it, or load it with `late`.",
          },
        ],
      },
    },
    {
      files: ["**/*.mjs", "**/*.cjs"],
      rules: { "typescript/explicit-module-boundary-types": "off", "max-lines-per-function": "off" },
    },
    {
      // Route tables: the type of the table types every function in it.
      files: ["emulator/**/routes.ts"],
      rules: { "typescript/explicit-module-boundary-types": "off" },
    },
    { files: PURE_FILES, rules: pureRules },
    {
      files: ["tests/**/*.ts"],
      rules: {
        "max-lines-per-function": "off",
        "typescript/explicit-module-boundary-types": "off",
        "typescript/no-implied-eval": "off",
        "typescript/no-unsafe-call": "off",
      },
    },
    {
      files: ["tests/**/*.ts"],
      excludeFiles: ["tests/support/properties.ts"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            paths: [
              { name: "fast-check", message: "Import fc from tests/support/properties.ts, which sets the seed." },
            ],
          },
        ],
      },
    },
  ],
};
