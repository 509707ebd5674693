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

/**
 * More words of messages and of English. They are not shown where a secret contains them, only where it contains a part of them: in
 * `latest`, it was not a secret with `test` that was repeated.
 */
const COMMON: ReadonlySet<string> = new Set(
  `address adjust algorithm alphabet answer application approve asset associate assume attach attack attest authenticate authority
  authorize automatic base batch begin block body browser cache cancel cannot case category cause certificate challenge choose
  client clock close cloud code collection column combine comment common complete component compress connect connection consider
  constraint content contest context continue control convert cookie copy correct count country credential current customer cycle
  dashboard data database date deny detail device digit direct document documentation domain double duplicate early easy edge
  effect eligible email encode encrypt enforce engine enterprise entity environment even event exact except exclude exclusive
  execute explicit export extend fallback fast field file filter final firewall first force forward free full general great
  group handle hash high hint host hostname identical identify ignore immediate import include incorrect index indicate inner
  insufficient integer intend interest interfere internet interval invoke issue item join keyword kind label language large last
  late left letter light line link listen load local location lock logging login longest loop lower machine mask media member
  memory merge method migrate minute mode modify moment monitor month mutual namespace near negative nest network node normal
  notation note number occur often open operation order origin outside overlap override package packet parent password patch
  pattern pause payload pending perform period persist phrase plain point policy pool port post prefix present print priority
  private process product production profile project protect protest protocol proxy public publish query queue quota quote random
  range record recursive redirect region register relative release remain remote remove render repeat replace report represent
  reserve resolve respond restart restore restrict review revoke rewrite right role root round route scale schedule schema scheme
  scope score script search second secret section secure security segment select send sensitive separate sequence serve session
  several share shift short show sign similar simple single site size skip slow small sort source space special stack stage stale
  start state static step stop store stream strict structure style subdomain subject submit subscription success suffix suggest
  summary surface suspend switch symbol synchronize system table target task team template temporary terminate test text thing
  thread threshold throttle throughput timeout timestamp title together trace traffic transaction transfer transform translate
  transport trial trigger true turn unauthorized undefined unit universal unsupported upload upper usual validate variable vendor
  verify view virtual visible visitor wait warn warning watch website week wildcard window word work worker world year`.split(
    /\s+/,
  ),
);

/** Endings of English words: `late` and `st`, `test` and `ing`. */
const ENDINGS = ["", "s", "es", "d", "ed", "ing", "r", "er", "st", "est", "ly"];

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

/**
 * Whether a span of a text is only a part of a known word, so that what was repeated there is not a secret: no secret has the whole word.
 * A word after an escape sign may begin with the rest of an escape, as in `\\ntest`.
 */
export function isInsideKnownWord(text: string, [begin, end]: readonly [number, number]): boolean {
  const [from, to] = wholeWords(text, [begin, end]);
  const word = text.slice(from, to).toLowerCase();
  if ((from === begin && to === end) || !/^[a-z]+$/.test(word) || /[\\%&]/.test(text.charAt(from - 1))) return false;
  return ENDINGS.some((ending) => {
    const stem = word.endsWith(ending) ? word.slice(0, word.length - ending.length) : "";
    return ORDINARY.has(stem) || COMMON.has(stem);
  });
}

function wholeWords(text: string, [begin, end]: readonly [number, number]): readonly [number, number] {
  let [from, to] = [begin, end];
  while (isInWord(text, from)) from -= 1;
  while (isInWord(text, to)) to += 1;
  return [from, to];
}

/** Whether a span of a text consists of ordinary words, so that it may match a secret by coincidence. */
export function isOrdinary(text: string, piece: readonly [number, number]): boolean {
  const span = text.slice(...wholeWords(text, piece));
  const words = span.match(WORD) ?? [];
  return words.length > 0 && words.every(isOrdinaryWord) && BETWEEN_WORDS.test(span.replace(WORD, ""));
}
