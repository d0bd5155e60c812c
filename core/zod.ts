import { config, z } from "zod/mini";

// Compiled schemas would need 'unsafe-eval', which the Content-Security-Policy rightly refuses.
config({ jitless: true });

/** The one door to zod, so that no schema is made before it is configured. */
export { z };
