import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, gzipSync, constants as zlib } from "node:zlib";

const root = path.resolve(import.meta.dirname, "..");
const stampFile = path.join(root, "build", ".sources");
const inputs = [
  "app",
  "core",
  "public",
  "scripts/vite",
  "package-lock.json",
  "vite.config.ts",
  "react-router.config.ts",
];

/** What the last build was made of, when it is the newest: the content decides, not the clock. */
export function sourcesOfPages(): string {
  return hashOf(inputs);
}

/** Builds the pages when a source is newer than the last build. */
export function buildWhenNeeded(): void {
  const sources = sourcesOfPages();
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === sources) return;
  console.log("Building the pages.");
  const cli = path.join(root, "node_modules", "@react-router", "dev", "bin.cjs");
  const result = spawnSync(process.execPath, [cli, "build"], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (result.status !== 0) {
    console.error(result.stdout, result.stderr);
    console.error("The build failed; its messages stand above.");
    process.exit(1);
  }
  compressFiles(path.join(root, "build", "client"));
  writeFileSync(stampFile, sources);
}

function hashOf(names: string[]): string {
  const hash = createHash("sha256");
  const visit = (file: string) => {
    if (statSync(file).isDirectory()) {
      for (const name of readdirSync(file).sort()) visit(path.join(file, name));
    } else if (!file.includes(".test.")) {
      hash
        .update(`${path.relative(root, file)}\0`)
        .update(readFileSync(file))
        .update("\0");
    }
  };
  for (const name of names) visit(path.join(root, name));
  return hash.digest("hex");
}

/** Files are compressed once, as hard as it goes, instead of on every request; those that gain from it. */
function compressFiles(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!/\.(js|css|svg|json|webmanifest|txt|xml|vtt|ico)$/.test(name)) continue;
    const file = path.join(folder, name);
    const bytes = readFileSync(file);
    const forms = {
      gz: gzipSync(bytes, { level: 9 }),
      br: brotliCompressSync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 11 } }),
    };
    for (const [ending, form] of Object.entries(forms)) {
      if (form.length < bytes.length * 0.9) writeFileSync(`${file}.${ending}`, form);
    }
  }
}
