import { innermostCause } from "../server/platform/database/innermost-cause.ts";

/** Longest that an end may take before it is forced, with a little room below the promised 10 s. */
const forcedEndMs = 9_500;

/** Starts something and keeps it until SIGTERM or SIGINT; a failure to start is one line and exit code 1. */
export async function runUntilStopped<T extends { stop(): Promise<void> }>(
  start: () => Promise<T>,
): Promise<T> {
  // A full disk takes none of our words; the log says so in readiness (server/health.ts).
  for (const output of [process.stdout, process.stderr]) output.on("error", () => {});
  let starting: Promise<T> | undefined;
  let ending = false;
  const end = async (signal: NodeJS.Signals) => {
    // A terminal's Ctrl-C comes twice: from the terminal, and from the process above that passes it on.
    if (ending) return;
    ending = true;
    console.log(`${signal}: finishing what is under way.`);
    const drainMs = (Number(process.env["DRAIN_SECONDS"]) || 0) * 1_000;
    setTimeout(() => process.exit(1), drainMs + forcedEndMs).unref();
    await starting?.then((started) => started.stop()).catch(() => {});
    console.log("Stopped.");
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => void end(signal));
  }
  try {
    starting = start();
    const started = await starting;
    // Who was told to end meanwhile has nothing more to say.
    if (ending) await new Promise(() => {});
    return started;
  } catch (error) {
    console.error(oneLine(error));
    process.exit(1);
  }
}

/** By name: in development Vite loads a copy of these classes of its own. */
const expected = ["ConfigError", "AlreadyRunning", "MigrationError", "BackupSealed", "StorageAway"];

/** What an operator can act on is one line; anything else is our fault and shows where. */
export function oneLine(error: unknown): string {
  const said = error as Error;
  if (expected.includes(said.name)) return said.message;
  const cause = innermostCause(error) as Error & { code?: string };
  const unreachable = [
    ...["ECONNREFUSED", "ENOTFOUND", "ETIMEDOUT", "28P01", "3D000", "28000"],
    // PostgreSQL is ending or starting.
    ...["57P01", "57P02", "57P03"],
  ];
  if (cause.code && unreachable.includes(cause.code)) {
    return `DATABASE_URL: the database cannot be reached (${cause.code}).`;
  }
  if (cause.code === "25006") {
    return "DATABASE_URL or DATABASE_OWNER_URL: this server takes no changes, as a standby does. Name the primary.";
  }
  // What pg says of a connection that was taken and closed again, as by a balancer that has no server.
  if (cause.code === "ECONNRESET" || /^Connection terminated/.test(cause.message)) {
    return "DATABASE_URL: the database cannot be reached (the connection was closed).";
  }
  // What pg says of a database that takes a connection and never answers.
  if (cause.message === "timeout expired") {
    return "DATABASE_URL: the database does not answer.";
  }
  return cause.stack ?? String(error);
}
