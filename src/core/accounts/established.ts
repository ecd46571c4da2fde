const establishedAfterMs = 7 * 24 * 3_600_000

/**
 * Whether an account has been here for a while, with an address that its owner reads. The last part of each limit that all accounts share
 * is kept for such accounts, since anybody can register any number of new ones.
 */
export const isEstablished = ({ createdAt, emailVerified }: { createdAt: Date; emailVerified: boolean }, now: Date): boolean =>
  emailVerified && createdAt.getTime() < now.getTime() - establishedAfterMs
