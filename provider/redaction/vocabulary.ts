import { definitions, snakeCase } from "../model/shapes.js";

/** Names of fields in both spellings, and known values: they occur in every program and every response. */
const WORDS: ReadonlySet<string> = new Set(
  Object.values(definitions).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, node]) => [
      name,
      node["x-wire"] ?? snakeCase(name),
      ...(node["x-known"] ?? []).map(String),
      ...(node.items?.["x-known"] ?? []).map(String),
    ]),
  ),
);

/** Whether a text is a word of the API itself, which reveals nothing even as part of a secret. */
export function isPublicWord(text: string): boolean {
  return WORDS.has(text) || text === "true" || text === "false";
}

/** Words that are common in the service's messages, whatever was sent, and in English sentences. */
const ORDINARY: ReadonlySet<string> = new Set(
  `about above access account action actions after again all allow allowed already also although always and another any
  are argument array attempt available because been before being below between body both but bytes call can cannot change
  character characters check condition conditions configuration contact contain contains could create custom default
  defined delete deployed description did different disabled does done during each edit either empty enable enabled
  enough entitled entry error exceed exceeded exceeds exist existing exists expected expression expressions fail failed
  fails field fields following for format found from function functions greater has have header headers here how
  identifier implemented inside instead internal into invalid its just known least length less level like limit list
  lists long longer make malformed managed many match matches maximum may message might minimum missing more most must
  name named names need needs never new next none not nothing now null number numbers object off once one only operator
  option options order other our out over own page parameter parameters parse parsed parsing part path permission
  permitted phase phases place plan please point position possible present previous property provide provided rate
  reached read reason refer reference request requests require required requires resource response result retry rule
  rules ruleset rulesets same see server service set setting settings should since some specified specify status still
  string such support supported supports syntax than that the their them then there these they this those through time
  times token too try twice two type types unable under unexpected unique unknown until update upgrade upon use used
  user users uses using valid value values version very via was were what when where whether which while who why will
  with within without would write wrong yet you your zone zones`.split(/\s+/),
);

const WORD_CHARACTER = /[\p{L}\p{M}\p{N}_]/u;
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
/** Characters that may separate the words of a sentence. */
const BETWEEN_WORDS = /^[\s.,:;'"()]*$/;

function isOrdinaryWord(word: string): boolean {
  return word.length <= 2 ? /^[a-z]+$/i.test(word) : ORDINARY.has(word.toLowerCase()) || isPublicWord(word);
}

/** Whether the characters on both sides of a position belong to a word. */
function isInWord(text: string, at: number): boolean {
  return WORD_CHARACTER.test(text.charAt(at - 1)) && WORD_CHARACTER.test(text.charAt(at));
}

/** Whether a span of a text consists of ordinary words, so that it may match a secret by coincidence. */
export function isOrdinary(text: string, [begin, end]: readonly [number, number]): boolean {
  let [from, to] = [begin, end];
  // Extend the span to whole words.
  while (isInWord(text, from)) from -= 1;
  while (isInWord(text, to)) to += 1;
  const span = text.slice(from, to);
  const words = span.match(WORD) ?? [];
  return words.length > 0 && words.every(isOrdinaryWord) && BETWEEN_WORDS.test(span.replace(WORD, ""));
}
