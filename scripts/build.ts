import { buildWhenNeeded } from "./build-pages.ts";

// Before processes are started again, on every machine: whoever serves the build before goes on, and serves the new one's files too.
buildWhenNeeded();
console.log("The pages are built.");
