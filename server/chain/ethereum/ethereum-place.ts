/**
 * Where in an Ethereum transaction a payment stands, as one number: 0 is the ether that the transaction itself carries, from
 * 1 on the ether that contracts sent within it, by the order in which they were called; from here on the events that the
 * transaction announced, by their place in its receipt. PostgreSQL tells them apart, too: is_by_word_of_node.
 */
const firstEvent = 1_000_000_000;

/** The place of a call: 0 for the transaction's own. */
export function placeOfCall(nth: number): number {
  if (nth >= firstEvent) throw new RangeError("more calls than gas allows");
  return nth;
}

export function placeOfEvent(positionInReceipt: number): number {
  return firstEvent + positionInReceipt;
}
