/** Why a feed could not be read, in the words that the console shows. */
export const readFailures = {
  "address-not-allowed":
    "The address leads to a private or local network. Such addresses are never read",
  "not-https": "It led to an address without https",
  unreachable:
    "No whole answer came: the name is unknown, nothing listens there, or the connection broke",
  "certificate-not-trusted": "Its certificate is not trusted",
  "timed-out": "It did not answer within 10 seconds",
  "too-large": "It is larger than 2 MB",
  "too-many-redirects": "It sends from one address to the next without end",
  "not-found": "It answers that there is no such page",
  gone: "It answers that the feed is gone for good",
  refused: "It refuses to be read",
  "too-often": "It asks to be read less often",
  "server-failed": "It answers that something is wrong with it",
  "unexpected-answer": "It answered in a way that a feed does not",
  "not-a-feed": "What it sent is no RSS, Atom or JSON feed",
  "entities-refused": "It declares entities of its own, which feeds have no need for",
} as const;
export type ReadFailureReason = keyof typeof readFailures;
