import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { ensurePostgresClient } from "../../scripts/programs/get-postgres-client.ts";

const run = promisify(execFile);

/** The indented commands below a heading of the page, up to the next heading. */
export function commandsOf(page: string, heading: string): string[] {
  const [, after] = page.split(`\n${heading}\n`);
  const section = after?.split(/\n##+ /)[0] ?? "";
  const commands = section
    .split("\n")
    .filter((line) => line.startsWith("    "))
    // What starts and stops the service is the supervisor's; the tests do both themselves.
    .filter((line) => !line.includes("systemctl"));
  expect(commands.length).toBeGreaterThan(0);
  return commands;
}

/** Runs them as a person would in a shell, while the test goes on. */
export async function runBlocks(
  page: string,
  heading: string,
  cwd: string,
  env: Record<string, string>,
): Promise<void> {
  const commands = commandsOf(page, heading);
  const client = ensurePostgresClient();
  const PATH = client ? `${client}${path.delimiter}${process.env["PATH"]}` : process.env["PATH"];
  await run("bash", ["-euo", "pipefail", "-c", commands.join("\n")], {
    cwd,
    env: { ...process.env, ...env, PATH },
  });
}
