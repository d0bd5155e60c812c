/**
 * Where in an Ethereum transaction a payment stands, as one number: 0 is the ether that the transaction itself carries, from
 * 1 on the ether that contracts sent within it, by the order in which they were called; from here on the events that the
 * transaction announced, by their place in its receipt.
 */
export const firstEvent = 1_000_000_000;

/** The place of a call: 0 for the transaction's own. */
export function placeOfCall(nth: number): number {
  if (nth >= firstEvent) throw new RangeError("more calls than gas allows");
  return nth;
}

/** Whether it is ether that a contract sent, which explorers call an internal transaction. */
export function isCallOfContract(place: number): boolean {
  return place > 0 && place < firstEvent;
}

export function placeOfEvent(positionInReceipt: number): number {
  return firstEvent + positionInReceipt;
}
