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

/** What a word can end in, with how many letters must be left of it. */
const endings = [
  ["als", 4],
  ["al", 4],
  ["ings", 4],
  ["ing", 4],
  ["ed", 4],
  ["es", 4],
  ["s", 3],
] as const;

/**
 * The texts that hold every word that is searched for, whatever its case, accents and endings; where none does, those that hold
 * most of them, at least half. An empty search finds all.
 */
export function findMatches(texts: readonly string[], search: string): Found {
  const words = wordsOf(search);
  const held = texts.map((text) => {
    const folded = fold(text);
    return words.filter((word) => folded.includes(word)).length;
  });
  const most = Math.max(0, ...held);
  const isWhole = most === words.length;
  const places = most * 2 < words.length ? [] : [...held.keys()].filter((at) => held[at] === most);
  return { places, isWhole };
}

function wordsOf(search: string): string[] {
  const all = fold(search)
    .split(/\s+/)
    .map((word) => word.replace(/^[("'“]+|[)"'”?!,;:.]+$/g, ""))
    .filter((word) => word !== "");
  const telling = all.filter((word) => !small.has(word));
  return [...new Set((telling.length > 0 ? telling : all).map(withoutEnding))];
}

function withoutEnding(word: string): string {
  const ending = endings.find(
    ([end, left]) => word.endsWith(end) && word.length >= end.length + left,
  );
  return ending ? word.slice(0, -ending[0].length) : word;
}

function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
}

/** What a search says of itself: "3 of 20 questions". */
export function countFound({ places, isWhole }: Found, total: number): string {
  if (places.length === 0) return "No question holds these words.";
  const found = `${places.length} of ${total} questions`;
  return isWhole ? found : `No question holds all of these words. The closest: ${found}`;
}
