import { existsSync, globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const core = path.dirname(createRequire(import.meta.url).resolve("@mantine/core/styles.layer.css"));
const notifications = path.join(core, "../notifications");

/** What every page stands on, whatever parts it shows. */
const ground = ["baseline", "global"];

/**
 * The style of those of Mantine's parts that the application uses, in Mantine's order; all of them together
 * are five times as much. Found by following imports from the application's files, so that nobody keeps a list.
 */
export function sheetOfUsedParts(root: string): string {
  const index = readFileSync(path.join(core, "esm/index.mjs"), "utf8");
  const files = new Map(
    [...index.matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g)].flatMap(
      ([, names = "", file = ""]) =>
        names.split(",").map((name) => [name.trim(), path.join(core, "esm", file)] as const),
    ),
  );
  const seen = new Set<string>();
  for (const name of usedNames(root)) follow(files.get(name), seen);
  const used = new Set([...seen].map((file) => path.basename(file, ".module.mjs")));
  return sheetsInOrder()
    .filter((sheet) => ground.includes(sheet) || used.has(sheet))
    .map((sheet) => readFileSync(sheetFile(sheet), "utf8"))
    .join("\n");
}

/** What the application, and Mantine's toasts, take from Mantine's core. */
function usedNames(root: string): Set<string> {
  const files = [
    ...globSync("app/**/*.{ts,tsx}", { cwd: root }).map((file) => path.join(root, file)),
    ...globSync("esm/**/*.mjs", { cwd: notifications }).map((file) =>
      path.join(notifications, file),
    ),
  ];
  const names = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/import \{([^}]*)\} from "@mantine\/core"/g)].flatMap(
      ([, list = ""]) => list.split(","),
    ),
  );
  return new Set(names.map((name) => name.trim().split(" ")[0] ?? ""));
}

/** Goes where a module's relative imports lead. */
function follow(file: string | undefined, seen: Set<string>): void {
  if (file === undefined || seen.has(file) || !existsSync(file)) return;
  seen.add(file);
  for (const [, next = ""] of readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)"/g)) {
    follow(path.join(path.dirname(file), next), seen);
  }
}

/** The names of all sheets, in the order in which Mantine puts them together. */
function sheetsInOrder(): string[] {
  const all = readFileSync(path.join(core, "styles.layer.css"), "utf8");
  return globSync("*.layer.css", { cwd: path.join(core, "styles") })
    .map((file) => path.basename(file, ".layer.css"))
    .map(
      (sheet) =>
        [sheet, all.indexOf(withoutLayer(readFileSync(sheetFile(sheet), "utf8")))] as const,
    )
    .sort(([, a], [, b]) => a - b)
    .map(([sheet]) => sheet);
}

function sheetFile(sheet: string): string {
  return path.join(core, "styles", `${sheet}.layer.css`);
}

function withoutLayer(sheet: string): string {
  return sheet.replace(/^@layer mantine \{/, "").slice(0, 120);
}
