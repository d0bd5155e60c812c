/** Whether a text holds every word that is searched for, whatever its case and accents. An empty search finds all. */
export function matchesSearch(text: string, search: string): boolean {
  const folded = fold(text);
  return fold(search)
    .split(/\s+/)
    .every((word) => folded.includes(word));
}

function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
}

/** What a search says of itself: "3 of 20 questions". */
export function countFound(found: number, total: number): string {
  if (found === 0) return "No question holds all of these words.";
  return `${found} of ${total} questions`;
}
