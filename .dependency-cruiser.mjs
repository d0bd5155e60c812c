import { readFileSync } from "node:fs";

/** The building, top floor first. Imports go down only; rooms on one floor do not know each other. */
const floors = JSON.parse(
  readFileSync(new URL("database/floors.json", import.meta.url), "utf8"),
).toReversed();

const everyRoom = floors.flat().join("|");
/** Files named for what they read. */
const readers = "/(?:are|count|find|get|has|is|list|preview|read|search|select|sum)-[a-z-]+[.]ts$";
const notTests = "[.]test[.]tsx?$";

const importsOnlyGoDown = floors.flatMap((rooms, floor) =>
  rooms.map((room) => {
    const below = floors.slice(floor + 1).flat();
    return {
      name: `${room}-imports-only-downward`,
      comment: `server/${room} may import itself, core/${below.length ? ` and ${below.join(", ")}` : ""}.`,
      severity: "error",
      // The guards are what stands between requests and rooms: they read the request's context.
      from: {
        path: `^server/${room}/`,
        pathNot: [notTests, "^server/identity/[a-z-]+/require-[a-z-]+[.]ts$"],
      },
      to: { path: "^(app|server)/", pathNot: `^server/(${[room, ...below].join("|")})/` },
    };
  }),
);

export default {
  forbidden: [
    ...importsOnlyGoDown,
    {
      name: "drizzle-is-imported-once",
      comment:
        "Node reads its large package.json anew for every file that imports it: server/platform/database/drizzle.ts requires it.",
      severity: "error",
      from: {
        pathNot: ["^server/platform/database/drizzle[.]ts$", notTests, "node_modules"],
      },
      to: { path: "node_modules/drizzle-orm/" },
    },
    {
      name: "every-room-has-a-floor",
      comment: "A new folder under server/ must be given a floor above.",
      severity: "error",
      from: { path: "^server/[^/]+/", pathNot: `^server/(${everyRoom})/` },
      to: {},
    },
    {
      name: "tables-belong-to-their-room",
      comment:
        "A room writes only its own tables. Others may reference them (schema.ts) or join them in readers (get-, find-, list- ...).",
      severity: "error",
      from: {
        path: "^(?:app|server)/([^/]+)/",
        pathNot: ["/schema[.]ts$", "/queries[.]ts$", readers, notTests],
      },
      to: { path: "^server/[^/]+/schema[.]ts$", pathNot: "^server/$1/" },
    },
    {
      name: "jobs-are-only-wiring",
      comment: "jobs.ts is for the worker entry. Call the domain function instead.",
      severity: "error",
      from: { path: "^(app|server/[^/]+)/", pathNot: notTests },
      to: { path: "^server/(?!platform/)[^/]+/jobs[.]ts$" },
    },
    {
      name: "only-operator-pages-use-the-console",
      comment: "Queues and acts that span rooms are reachable from app/operator only.",
      severity: "error",
      from: { path: "^app/", pathNot: "^app/operator/" },
      // What of it the public is shown.
      to: { path: "^server/console/", pathNot: "^server/console/status/" },
    },
    {
      name: "components-stay-in-the-browser",
      comment: "app/ui receives data through props.",
      severity: "error",
      from: { path: "^app/ui/" },
      to: { path: "^server/" },
    },
    {
      name: "sections-do-not-import-sections",
      comment: "Two sections of the site share through app/ui or a room.",
      severity: "error",
      from: { path: "^app/([^/]+)/", pathNot: "^app/ui/" },
      to: { path: "^app/[^/]+/", pathNot: ["^app/ui/", "^app/$1/"] },
    },
    {
      name: "core-stays-pure",
      comment: "core/ also runs in the browser: no pages, no server code.",
      severity: "error",
      from: { path: "^core/", pathNot: notTests },
      to: { path: "^(app|server)/" },
    },
    {
      name: "core-uses-no-node",
      severity: "error",
      from: { path: "^core/", pathNot: notTests },
      to: { dependencyTypes: ["core"] },
    },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "[+]types|[.]react-router|^build/" },
    enhancedResolveOptions: {
      conditionNames: ["import", "node", "default"],
      exportsFields: ["exports"],
    },
  },
};
