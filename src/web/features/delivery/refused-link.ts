import { ApiFailure } from '../../api/client.ts'

/** The link itself is what is wrong, and trying again would not help. */
export const isRefusedLink = (error: unknown): boolean => error instanceof ApiFailure && error.problem?.field === 'token'
