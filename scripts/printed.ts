/** Where a command prints: the console, or what a test reads. */
export type Printed = Pick<Console, "log" | "error">;
