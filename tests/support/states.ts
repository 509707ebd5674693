/** A resource or a data source in a Terraform state. */
export interface Given {
  readonly type: string;
  readonly name: string;
  readonly values: object;
  readonly index?: string | number;
  readonly module?: string;
  readonly mode?: string;
  /** Sensitive paths in the format of a state file, and marks in that of `show -json`. */
  readonly sensitive?: readonly [paths: unknown, marks: unknown];
}

/** A Terraform state file. */
export const terraformState = (...given: readonly Given[]) => ({
  version: 4,
  terraform_version: "1.9.0",
  resources: given.map(({ type, name, values, index, module, mode = "managed", sensitive }) => ({
    module,
    mode,
    type,
    name,
    instances: [{ index_key: index, attributes: values, sensitive_attributes: sensitive?.[0] ?? [] }],
  })),
});
