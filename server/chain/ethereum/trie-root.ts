import { keccak_256 } from "@noble/hashes/sha3.js";
import { RLP } from "micro-eth-signer/core/rlp.js";

/** A node as RLP takes it: short ones stand in the node above, others by their hash. */
type Node = Uint8Array | Array<Node>;
type Entry = [nibbles: number[], value: Uint8Array];

const empty = new Uint8Array();

/**
 * What a header of Ethereum commits to a list by: the root of the Merkle Patricia trie of its entries by their place
 * (https://ethereum.org/en/developers/docs/data-structures-and-encoding/patricia-merkle-trie).
 */
export function trieRoot(values: Uint8Array[]): Uint8Array {
  const entries = values.map((value, i): Entry => [nibblesOf(RLP.encode(i)), value]);
  return keccak_256(RLP.encode(nodeOf(entries, 0)));
}

/** The node that holds what differs from a place in the keys on. No key begins with another one. */
function nodeOf(entries: Entry[], from: number): Node {
  const [first] = entries;
  if (!first) return empty;
  const [key, value] = first;
  if (entries.length === 1) return [path(key.slice(from), true), value];
  let shared = from;
  while (entries.every(([other]) => other[shared] === key[shared])) shared += 1;
  if (shared > from) return [path(key.slice(from, shared), false), below(entries, shared)];
  const branches = Array.from({ length: 16 }, (_, nibble) =>
    below(
      entries.filter(([other]) => other[from] === nibble),
      from + 1,
    ),
  );
  return [...branches, empty];
}

function below(entries: Entry[], from: number): Node {
  const node = nodeOf(entries, from);
  const bytes = RLP.encode(node);
  return entries.length === 0 || bytes.length < 32 ? node : keccak_256(bytes);
}

/** Nibbles as bytes, with a first one that says how many they are, even or odd, and whether the trie ends here. */
function path(nibbles: number[], isLeaf: boolean): Uint8Array {
  const flag = isLeaf ? 2 : 0;
  const whole = nibbles.length % 2 === 0 ? [flag, 0, ...nibbles] : [flag + 1, ...nibbles];
  return Uint8Array.from({ length: whole.length / 2 }, (_, i) => {
    return (whole[2 * i] ?? 0) * 16 + (whole[2 * i + 1] ?? 0);
  });
}

function nibblesOf(bytes: Uint8Array): number[] {
  return [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);
}
