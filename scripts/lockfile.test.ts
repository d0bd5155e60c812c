import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Locked {
  optionalDependencies?: Record<string, string>;
}

const lockfile: { packages: Record<string, Locked> } = JSON.parse(
  readFileSync("package-lock.json", "utf8"),
);

// npm ci refuses the whole lockfile when one is missing, and then nobody can start from a fresh clone.
test("the lockfile holds the build for every platform of every package", () => {
  const missing = Object.entries(lockfile.packages).flatMap(([place, locked]) =>
    Object.keys(locked.optionalDependencies ?? {})
      .filter((name) => !isLocked(place, name))
      .map((name) => `${name}, wanted by ${place}`),
  );
  expect(missing).toEqual([]);
});

/** Looks where Node would: beside the package, then in every node_modules above it. */
function isLocked(place: string, name: string): boolean {
  const parts = place === "" ? [""] : place.split("/node_modules/");
  const folders = ["", ...parts.map((_, end) => parts.slice(0, end + 1).join("/node_modules/"))];
  return folders.some((folder) => {
    const prefix = folder === "" ? "" : `${folder}/`;
    return `${prefix}node_modules/${name}` in lockfile.packages;
  });
}
