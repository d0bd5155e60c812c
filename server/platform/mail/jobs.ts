import type { Job } from "../jobs.ts";

export const mailJobs: Job<never, never>[] = [];
