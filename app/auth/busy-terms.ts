/** So long waits who cannot solve a task, counted from the first answer. */
export const busyTerms = { waitSeconds: 10 } as const;
