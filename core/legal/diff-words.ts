export interface Piece {
  kind: "same" | "added" | "removed";
  text: string;
}

/** What became of a text, word by word: pieces that stayed, were added, or were removed, in reading order. */
export function diffWords(before: string, after: string): Piece[] {
  const [old, young] = [words(before), words(after)];
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  for (const [x, y] of [...longestCommon(old, young), [old.length, young.length] as const]) {
    push(pieces, "removed", old.slice(i, x));
    push(pieces, "added", young.slice(j, y));
    push(pieces, "same", old.slice(x, x + 1));
    [i, j] = [x + 1, y + 1];
  }
  return joinAcrossGaps(pieces);
}

/** The places of the longest common run of two lists, both in order. */
export function longestCommon<T>(
  left: readonly T[],
  right: readonly T[],
  equal: (a: T, b: T) => boolean = Object.is,
): Array<readonly [number, number]> {
  const same = (i: number, j: number) => equal(left[i] as T, right[j] as T);
  const longest = longestFrom(left.length, right.length, same);
  const common: Array<readonly [number, number]> = [];
  for (let [i, j] = [0, 0]; i < left.length && j < right.length; ) {
    if (same(i, j)) common.push([i++, j++]);
    else if (longest(i + 1, j) >= longest(i, j + 1)) i++;
    else j++;
  }
  return common;
}

/** How long the longest common run of what is left is, from any two places on. */
function longestFrom(
  height: number,
  width: number,
  same: (i: number, j: number) => boolean,
): (i: number, j: number) => number {
  const lengths = new Uint32Array((height + 1) * (width + 1));
  const at = (i: number, j: number) => lengths[i * (width + 1) + j] ?? 0;
  for (let i = height - 1; i >= 0; i--) {
    for (let j = width - 1; j >= 0; j--) {
      lengths[i * (width + 1) + j] = same(i, j)
        ? at(i + 1, j + 1) + 1
        : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return at;
}

/** Words, the space between them, and every other sign by itself. Numbers stay whole: 0.0007 is one word. */
function words(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}]+(?:[.,:'’-][\p{L}\p{N}]+)*|[^\s]/gu) ?? [];
}

function push(pieces: Piece[], kind: Piece["kind"], tokens: string[]): void {
  if (tokens.length === 0) return;
  const last = pieces.at(-1);
  if (last?.kind === kind) last.text += tokens.join("");
  else pieces.push({ kind, text: tokens.join("") });
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
