/** The colours of a testimonial's states in the console. */
export const testimonialTones = {
  invited: "waiting",
  agreed: "waiting",
  published: "good",
  revoked: "plain",
  declined: "plain",
  withdrawn: "plain",
} as const;
