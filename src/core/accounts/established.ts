const establishedAfterMs = 7 * 24 * 3_600_000

/**
 * Whether an account has been here for a while, with an address that its owner reads: of what all accounts share, the last part is kept for
 * these, since anybody can register any number of others.
 */
export const isEstablished = ({ createdAt, emailVerified }: { createdAt: Date; emailVerified: boolean }, now: Date): boolean =>
  emailVerified && createdAt.getTime() < now.getTime() - establishedAfterMs
