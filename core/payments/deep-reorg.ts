/** What was said of a chain that has left settled blocks. `done`: the watcher has left them, too. */
export type DeepReorgState = "open" | "confirmed" | "declined" | "done";

export const deepReorgTerms = { reasonMax: 1000 } as const;
