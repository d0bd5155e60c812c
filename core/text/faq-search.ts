/** Which texts a search finds, by their places. */
export interface Found {
  places: number[];
  /** Whether they hold every word that was searched for, or only most of them. */
  isWhole: boolean;
}

/** Words of a question that say nothing of what it is about. */
const small = new Set(
  `a an and any are at be by can could did do does for from get has have how i if in is it its long many me much my of on one or
  so take that the there they this to was we what when where which who why will with you your`.split(
    /\s+/,
  ),
);

/** What a word can end in, longest first, and what stays of it: of `verification`, `verified` and `verify` the same. */
const endings: ReadonlyArray<readonly [end: RegExp, stays: string]> = [
  [/ications?$/, ""],
  [/(?:ations?|ments?)$/, ""],
  [/(?:ies|ied|ying|y)$/, ""],
  [/(?:als?|ings?|ed)$/, ""],
  [/(x|ss|ch|sh|z)es$/, "$1"],
  [/es$/, ""],
  [/s$/, ""],
];
/** Less would stand for too many words. */
const shortestStem = 4;

/**
 * The texts that hold every word that is searched for, whatever its case, accents and endings; where none does, those that hold
 * most of them, at least half. An empty search finds all.
 */
export function findMatches(texts: readonly string[], search: string): Found {
  if (search.trim() === "") return { places: [...texts.keys()], isWhole: true };
  const stems = stemsOf(search);
  const held = texts.map((text) => {
    const words = wordsOf(text);
    return stems.filter((stem) => words.some((word) => isOf(stem, word))).length;
  });
  const most = Math.max(0, ...held);
  const isWhole = most > 0 && most === stems.length;
  const enough = most > 0 && most * 2 >= stems.length;
  const places = enough ? [...held.keys()].filter((at) => held[at] === most) : [];
  return { places, isWhole };
}

function stemsOf(search: string): string[] {
  const all = wordsOf(search);
  const telling = all.filter((word) => !small.has(word));
  return [...new Set((telling.length > 0 ? telling : all).map(stemOf))];
}

function stemOf(word: string): string {
  for (const [end, stays] of endings) {
    const stem = word.replace(end, stays);
    if (stem === word || stem.length < shortestStem) continue;
    // "cancelled" is of "cancel".
    return stem.replace(/([lnpt])\1$/, "$1");
  }
  return word.length > shortestStem - 1 ? word.replace(/(?<=\w{3})s$/, "") : word;
}

/** Short words are whole words, or their plural: `fee` is no part of `feed`. */
function isOf(stem: string, word: string): boolean {
  return stem.length < shortestStem
    ? word === stem || word === `${stem}s`
    : word.startsWith(stem) || stemOf(word) === stem;
}

function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+%?/gu) ?? [];
}

function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** What a search says of itself: "3 of 20 questions". */
export function countFound({ places, isWhole }: Found, total: number): string {
  if (places.length === 0) return "No results. Try other words, or write to us.";
  const found = `${places.length} of ${total} questions`;
  return isWhole ? found : `No question has all of these words. The closest: ${found}`;
}
