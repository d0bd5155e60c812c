import { checks, runCheck } from "./checks.ts";

const failed = checks.filter((check) => !runCheck(check));
process.exit(failed.length === 0 ? 0 : 1);
