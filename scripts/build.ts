import { existsSync } from "node:fs";
import path from "node:path";
import { buildWhenNeeded, takeOverFrom } from "./build-pages.ts";

const [other, ...rest] = process.argv.slice(2);
if (
  rest.length > 0 ||
  (other !== undefined && !existsSync(path.join(other, "build", ".assets.json")))
) {
  console.error(
    "Use: npm run build [-- FOLDER]   (FOLDER has the version before, built: its assets are served, too)",
  );
  process.exit(1);
}
buildWhenNeeded();
if (other !== undefined) takeOverFrom(other);
console.log("The pages are built.");
