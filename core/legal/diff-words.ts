import { diffArrays } from "diff";

export interface Piece {
  kind: "same" | "added" | "removed";
  text: string;
}

/** What became of a text, word by word: pieces that stayed, were added, or were removed, in reading order. */
export function diffWords(before: string, after: string): Piece[] {
  const pieces = diffArrays(words(before), words(after)).map(({ added, removed, value }): Piece => {
    return { kind: added ? "added" : removed ? "removed" : "same", text: value.join("") };
  });
  return joinAcrossGaps(pieces);
}

/** The places of the longest common run of two lists, both in order. */
export function longestCommon<T>(
  left: readonly T[],
  right: readonly T[],
  equal: (a: T, b: T) => boolean,
): Array<readonly [number, number]> {
  let [i, j] = [0, 0];
  return diffArrays([...left], [...right], { comparator: equal }).flatMap(
    ({ added, removed, count }) => {
      const from = [i, j] as const;
      if (!added) i += count;
      if (!removed) j += count;
      if (added || removed) return [];
      return Array.from({ length: count }, (_, at) => [from[0] + at, from[1] + at] as const);
    },
  );
}

/** Words, the space between them, and every other sign by itself. Numbers stay whole: 0.0007 is one word. */
function words(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}]+(?:[.,:'’-][\p{L}\p{N}]+)*|[^\s]/gu) ?? [];
}

/** Two changed words with an equal space between them are read as one change. */
function joinAcrossGaps(pieces: Piece[]): Piece[] {
  const joined: Piece[] = [];
  let removed = "";
  let added = "";
  const flush = () => {
    if (removed) joined.push({ kind: "removed", text: removed });
    if (added) joined.push({ kind: "added", text: added });
    [removed, added] = ["", ""];
  };
  pieces.forEach(({ kind, text }, index) => {
    if (kind === "removed") removed += text;
    else if (kind === "added") added += text;
    else if (/^\s+$/.test(text) && index > 0 && index < pieces.length - 1) {
      removed += text;
      added += text;
    } else {
      flush();
      joined.push({ kind, text });
    }
  });
  flush();
  return joined;
}
