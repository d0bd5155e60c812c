import { runChecks } from "./checks.ts";

const broken = (await runChecks()).filter(({ error }) => error !== null);
for (const { name, error } of broken) console.log(`✗ ${name}: ${error}`);
process.exit(broken.length === 0 ? 0 : 1);
