import type { Argument, Command, Option } from "commander";

/** What can be written next, and what it is for. */
export interface Suggestion {
  readonly value: string;
  readonly description: string;
}

/**
 * What can follow in a command line: commands, options, or the values of an option or an argument with choices. Nothing where a
 * file or a free text is expected, so that a shell completes file names.
 *
 * @param words what follows the name of the program; the last one is being written, and may be empty
 */
export function suggestions(program: Command, words: readonly string[]): Suggestion[] {
  const last = words.at(-1) ?? "";
  const position = positionAfter(program, words.slice(0, -1));
  const all = position.value === undefined ? possible(position, last) : choicesOf(position.value);
  return all.filter(({ value }) => value.startsWith(last));
}

/** Where a command line stands: at a command, with so many of its arguments, and with an option that awaits its value. */
interface Position {
  readonly command: Command;
  readonly given: number;
  readonly value?: Option;
}

function positionAfter(program: Command, words: readonly string[]): Position {
  let position: Position = { command: program, given: 0 };
  for (const word of words) position = next(position, word);
  return position;
}

function next({ command, given, value }: Position, word: string): Position {
  if (value !== undefined) return { command, given };
  if (word.startsWith("-")) {
    const option = optionsOf(command).find(({ long, short }) => word === long || word === short);
    return option !== undefined && option.required ? { command, given, value: option } : { command, given };
  }
  const sub = given === 0 ? commandsOf(command).find((one) => one.name() === word) : undefined;
  return sub === undefined ? { command, given: given + 1 } : { command: sub, given: 0 };
}

function possible({ command, given }: Position, last: string): Suggestion[] {
  if (last.startsWith("-")) return optionsOf(command).map(optionSuggestion);
  const commands = given === 0 ? commandsOf(command) : [];
  const argument = command.registeredArguments[given] ?? command.registeredArguments.findLast((one) => one.variadic);
  return [
    ...commands.map((one) => ({ value: one.name(), description: one.description() })),
    ...(argument === undefined ? [] : choicesOf(argument)),
  ];
}

const optionSuggestion = ({ long, short, description }: Option): Suggestion => ({
  value: long ?? short ?? "",
  description,
});

const choicesOf = ({ argChoices = [] }: Argument | Option): Suggestion[] =>
  argChoices.map((value) => ({ value, description: "" }));

const optionsOf = (command: Command): readonly Option[] => command.createHelp().visibleOptions(command);

const commandsOf = (command: Command): readonly Command[] => command.createHelp().visibleCommands(command);
