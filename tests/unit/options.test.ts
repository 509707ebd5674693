import { Command, type Option } from "commander";
import { refuseOptionsOfGroups } from "../../tools/cli/program.js";
import { leaves, program } from "../support/commands.js";

/** A value that the option takes. */
function valueFor({ argChoices, flags }: Option): string {
  return argChoices?.[0] ?? (/days|number|port/.test(flags) ? "7" : "x");
}

const commands = leaves(program());
test.each(commands.flatMap(([name, { options }]) => options.map(({ long = "" }) => [name, long] as const)))(
  "%s %s reaches the command, whatever its groups have",
  async (name, long) => {
    const root = program();
    const words = name.split(" ");
    const command = words.reduce<Command | undefined>(
      (group, word) => group?.commands.find((one) => one.name() === word),
      root,
    );
    const option = command?.options.find((one) => one.long === long);
    if (command === undefined || option === undefined) throw new Error(`there is no ${name} ${long}`);
    let reached: Command | undefined;
    command.allowExcessArguments().action((...all: readonly unknown[]) => {
      reached = all.at(-1) as Command;
    });
    for (const one of command.options.filter(({ mandatory }) => mandatory))
      if (one !== option) one.makeOptionMandatory(false);
    const operands = command.registeredArguments
      .filter(({ required }) => required)
      .map(({ argChoices }) => argChoices?.[0] ?? "1");
    const value = option.required || option.optional ? [valueFor(option)] : [];
    await root.parseAsync(["node", "pulumi-rulesets", ...words, ...operands, long, ...value]);
    expect(reached).toBe(command);
    expect(command.getOptionValueSource(option.attributeName())).toBe("cli");
  },
);

test("a command with sub-commands cannot have options", () => {
  const root = new Command();
  const group = root.command("group").option("--json", "write JSON");
  group.command("inner").option("--json", "write JSON");
  expect(() => {
    refuseOptionsOfGroups(root);
  }).toThrow("group has sub-commands, so it cannot have the option --json");
});
