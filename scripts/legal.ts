import { writeFileSync } from "node:fs";
import path from "node:path";
import { legalIds } from "../core/legal/legal-document.ts";
import { legalTexts } from "../core/legal/legal-texts.ts";
import { legalVersions } from "../core/legal/legal-versions.ts";
import { publishVersion } from "../core/legal/publish-version.ts";

const usage = `Use: npm run legal -- publish ${legalIds.join("|")} VERSION YYYY-MM-DD "What changed." [--again]
Publishes the text as it reads now as a further version. --again writes the newest version anew: only before
anybody has seen it.`;

const again = process.argv.includes("--again");
const [command, name, version, effectiveFrom, summary, ...rest] = process.argv
  .slice(2)
  .filter((argument) => argument !== "--again");
const id = legalIds.find((each) => each === name);

if (command !== "publish" || !id || !version || !effectiveFrom || !summary || rest.length > 0) {
  console.error(usage);
  process.exit(1);
}
const document = legalTexts()[id];
const publication = { document, version, effectiveFrom, summary, again };
const versions = publishVersion(legalVersions[id], publication);
if (typeof versions === "string") {
  console.error(versions);
  process.exit(1);
}
const file = path.join(import.meta.dirname, "..", "core", "legal", "versions", `${id}.json`);
writeFileSync(file, `${JSON.stringify(versions, null, 2)}\n`);
console.log(`${id} ${version}, from ${effectiveFrom}: ${versions.at(-1)?.sha256}`);
